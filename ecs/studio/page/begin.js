// The last script: all panels are known.
"use strict";

begin();
