"use strict";
// What the game asks of the page; bounty_hunter/src/browser.rs is the other side.

(() => {
    const PREFIX = "bounty_hunter.";
    const DROPPED = "dropped";
    const MOST_TRIES = 21;
    const notice = document.getElementById("notice");
    const end = document.getElementById("end");
    const canvas = document.getElementById("glcanvas");
    const parameters = new URLSearchParams(location.search);
    // The replay in the address, by its name: fetched before the game starts.
    const files = new Map();

    const encode = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
    const decode = text => Uint8Array.from(atob(text), character => character.charCodeAt(0));

    function tell(sentence) {
        notice.textContent = sentence;
    }

    function finish(sentence) {
        document.getElementById("last").textContent = sentence;
        end.hidden = false;
        document.getElementById("again").focus();
    }

    // `?mode=survival&players=8` is `--mode=survival` and `--players=8`; `?demo` is `--demo`; `?replay=FILE` is `replay FILE`.
    function commandLine() {
        const rest = [...parameters].filter(([key]) => key !== "replay");
        const options = rest.map(([key, value]) => `--${key}${value === "" ? "" : "=" + value}`);
        const command = parameters.has("replay") ? ["replay", parameters.get("replay")] : [];
        return [...command, ...options].map(word => word.replace(/\s+/g, " ")).join("\n");
    }

    function read(key) {
        if (files.has(key)) {
            return files.get(key);
        }
        const text = localStorage.getItem(PREFIX + key);
        return text === null ? null : decode(text);
    }

    function download(name, bytes) {
        const link = document.createElement("a");
        // The bytes are those of the game, whose memory may move.
        link.href = URL.createObjectURL(new Blob([bytes.slice()], { type: "application/octet-stream" }));
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    }

    // The tries of old days would fill the storage: their names sort by day.
    function forgetOldTries() {
        const tries = Object.keys(localStorage).filter(key => key.startsWith(PREFIX + "daily/")).sort();
        tries.slice(0, -MOST_TRIES).forEach(key => localStorage.removeItem(key));
    }

    // Sounds: the game makes the samples, and the page mixes what the game starts. Browsers allow that after the first key or touch.
    const MOST_SOUNDS = 48;
    const HEADROOM = 4;
    const buffers = [];
    let audio = null;
    let mixed = null;
    let sounding = 0;

    function allowSound(event) {
        if (!event.isTrusted || typeof AudioContext === "undefined") {
            return;
        }
        if (audio === null) {
            audio = new AudioContext();
            // Loud sums are compressed and never cut off.
            const curve = Float32Array.from({ length: 1025 }, (_, at) => Math.tanh((at / 512 - 1) * HEADROOM));
            mixed = new GainNode(audio, { gain: 1 / HEADROOM });
            mixed.connect(new WaveShaperNode(audio, { curve })).connect(audio.destination);
        }
        audio.resume();
    }
    ["keydown", "pointerdown", "touchend"].forEach(gesture => document.addEventListener(gesture, allowSound, true));

    function addSound(rate, bytes) {
        const samples = new Float32Array(bytes.slice().buffer);
        const buffer = new AudioBuffer({ length: Math.max(samples.length, 1), sampleRate: rate });
        buffer.copyToChannel(samples, 0);
        buffers.push(buffer);
    }

    function startSound(sound, left, right, pitch, at) {
        if (audio?.state !== "running" || sounding >= MOST_SOUNDS) {
            return;
        }
        const source = new AudioBufferSourceNode(audio, { buffer: buffers[sound], playbackRate: pitch });
        const sides = new ChannelMergerNode(audio, { numberOfInputs: 2 });
        source.connect(new GainNode(audio, { gain: left })).connect(sides, 0, 0);
        source.connect(new GainNode(audio, { gain: right })).connect(sides, 0, 1);
        sides.connect(mixed);
        sounding += 1;
        source.onended = () => {
            sounding -= 1;
            sides.disconnect();
        };
        source.start(at);
    }

    miniquad_add_plugin({
        name: "page",
        version: 1,
        register_plugin: imports => Object.assign(imports.env, {
            page_arguments: () => js_object(commandLine()),
            page_milliseconds: () => Date.now(),
            page_read: key => {
                try {
                    return js_object(read(consume_js_object(key)));
                } catch (error) {
                    console.error(error);
                    return js_object(undefined);
                }
            },
            page_has: key => {
                const name = consume_js_object(key);
                try {
                    return localStorage.getItem(PREFIX + name) !== null;
                } catch (error) {
                    console.error(error);
                    return false;
                }
            },
            page_write: (key, value) => {
                const [name, bytes] = [consume_js_object(key), consume_js_object(value)];
                try {
                    localStorage.setItem(PREFIX + name, encode(bytes));
                    return true;
                } catch (error) {
                    console.error(error);
                    return false;
                }
            },
            page_download: (name, bytes) => download(consume_js_object(name), consume_js_object(bytes)),
            page_tell: sentence => tell(consume_js_object(sentence)),
            page_end: sentence => finish(consume_js_object(sentence)),
            page_pad: person => padOf(person),
            page_has_only_fingers: () => matchMedia("(pointer: coarse)").matches,
            page_add_sound: (rate, samples) => addSound(rate, consume_js_object(samples)),
            page_sound_seconds: () => audio?.state === "running" ? audio.currentTime : -1,
            page_start_sound: startSound,
        }),
    });

    window.addEventListener("error", event => finish(`The game has stopped: ${event.message}`));
    window.addEventListener("unhandledrejection", event => finish(`The game has stopped: ${event.reason}`));
    document.getElementById("again").addEventListener("click", () => location.reload());

    // A replay that is dropped onto the page is shown.
    document.addEventListener("dragover", event => event.preventDefault());
    document.addEventListener("drop", async event => {
        event.preventDefault();
        const file = event.dataTransfer.files[0];
        if (file) {
            sessionStorage.setItem(PREFIX + DROPPED, encode(new Uint8Array(await file.arrayBuffer())));
            location.search = `?replay=${DROPPED}`;
        }
    });

    // A browser that is busy may send the mouse that a finger stands for after the finger itself: the game knows the finger already.
    let isFinger = false;
    ["pointerdown", "pointermove"].forEach(name => document.addEventListener(name, event => { isFinger = event.pointerType === "touch"; }, true));
    ["mousedown", "mousemove", "mouseup"].forEach(name => canvas.addEventListener(name, event => isFinger && event.stopImmediatePropagation(), true));

    // Gamepads. What is held is a number with a bit for each of these, in the order of `pad_button.rs`.
    const BITS = Object.fromEntries(
        ["up", "down", "left", "right", "south", "east", "west", "north", "shoulder", "select", "start"].map((name, bit) => [name, 1 << bit]));
    const DEAD_ZONE = 0.4;

    /** What a person holds on a gamepad. */
    function padOf(person) {
        const pad = [...navigator.getGamepads()].filter(pad => pad?.connected)[person];
        let held = 0;
        if (!pad) {
            return held;
        }
        const is = number => pad.buttons[number]?.pressed || pad.buttons[number]?.value > DEAD_ZONE;
        const hold = (name, isHeld) => { held |= isHeld ? BITS[name] : 0; };
        // The standard layout of the browsers: the stick, the cross, and the triggers for driving.
        hold("up", pad.axes[1] < -DEAD_ZONE || is(12) || is(7));
        hold("down", pad.axes[1] > DEAD_ZONE || is(13) || is(6));
        hold("left", pad.axes[0] < -DEAD_ZONE || is(14));
        hold("right", pad.axes[0] > DEAD_ZONE || is(15));
        ["south", "east", "west", "north"].forEach((name, number) => hold(name, is(number)));
        hold("shoulder", is(5));
        hold("select", is(8));
        hold("start", is(9));
        return held;
    }

    async function start() {
        const replay = parameters.get("replay");
        const dropped = sessionStorage.getItem(PREFIX + DROPPED);
        if (replay === DROPPED && dropped !== null) {
            files.set(replay, decode(dropped));
        } else if (replay !== null) {
            const response = await fetch(replay);
            if (!response.ok) {
                finish(`The replay ${replay} cannot be read: ${response.status} ${response.statusText}`);
                return;
            }
            files.set(replay, new Uint8Array(await response.arrayBuffer()));
        }
        try {
            forgetOldTries();
        } catch (error) {
            console.error(error);
        }
        tell("");
        load("bounty_hunter.wasm");
        canvas.focus();
    }
    start();
})();
