// The clock of a hidden page. A worker goes on while the page is hidden, where browsers slow the page's own timers down to one a minute, so
// that what the program keeps for an open page would end.
"use strict";

setInterval(() => postMessage(null), 4000);
