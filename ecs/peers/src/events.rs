//! The events of all contestants.

/// Declares structs of two numbers as events of every framework that has events.
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::message::Message))]
        #[cfg_attr(feature = "evenio", derive(evenio::event::GlobalEvent))]
        #[cfg_attr(feature = "flecs_ecs", derive(flecs_ecs::macros::Component))]
        pub(crate) struct $name {
            pub(crate) target: u64,
            pub(crate) amount: u64,
        }
    )*};
}

events! {
    /// The event of all cases without cascades.
    Hit;
    /// Causes a [`Second`].
    First;
    /// Causes a [`Third`].
    Second;
    /// The end of a cascade.
    Third;
}

macro_rules! values {
    ($($name:ident)*) => {
        $(impl $name {
            /// The value that a listener adds to its total.
            pub(crate) fn value(&self) -> u64 {
                self.target ^ self.amount
            }
        })*
    };
}
values!(Hit Third);

macro_rules! sent {
    ($($name:ident)*) => {
        $(impl $name {
            /// The `n`th event.
            pub(crate) fn new(n: usize) -> Self {
                Self { target: n as u64, amount: n as u64 & 3 }
            }
        })*
    };
}
sent!(Hit First);

/// Listeners with much to do.
pub(crate) const HEAVY_LISTENERS: usize = 4;

impl Hit {
    /// What a listener with much to do adds to its total.
    pub(crate) fn heavy_value(&self) -> u64 {
        let mix = |value: u64, n: u64| (value ^ (value >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9 ^ n);
        (0..50).fold(self.value(), mix)
    }
}

impl First {
    /// The event that it causes.
    pub(crate) fn cause(&self) -> Second {
        Second { target: self.target + 1, amount: self.amount }
    }
}

impl Second {
    /// The event that it causes.
    pub(crate) fn cause(&self) -> Third {
        Third { target: self.target + 1, amount: self.amount }
    }
}

/// The number of event types that are sent in turn.
pub(crate) const TYPES: usize = 100;

/// The number of listeners to one event.
pub(crate) const LISTENERS: usize = 10;

/// One of many types of events.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::message::Message))]
#[cfg_attr(feature = "evenio", derive(evenio::event::GlobalEvent))]
pub(crate) struct Typed<const N: usize>(pub(crate) Hit);

/// Calls a macro with the numbers from 0 to 99.
macro_rules! for_each_type {
    ($call:ident) => {
        $call! {
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39
            40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76
            77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99
        }
    };
}
pub(crate) use for_each_type;

/// Sends one event of each type.
pub(crate) trait SendEach {
    /// Sends event `n` of each type.
    fn send_each(&mut self, n: usize);
}

macro_rules! send_each {
    ($($sender:ident)*) => {
        impl<$($sender: SendEach),*> SendEach for ($($sender,)*) {
            #[allow(non_snake_case)]
            #[inline]
            fn send_each(&mut self, n: usize) {
                let ($($sender,)*) = self;
                $($sender.send_each(n);)*
            }
        }
    };
}

send_each!(S0 S1 S2 S3);
send_each!(S0 S1 S2 S3 S4);

/// Declares the type `Senders`: nested tuples with a sender for each of the 100 event types.
macro_rules! senders {
    ($sender:ident) => {
        $crate::events::senders!($sender
            [[0 1 2 3 4] [5 6 7 8 9] [10 11 12 13 14] [15 16 17 18 19] [20 21 22 23 24]]
            [[25 26 27 28 29] [30 31 32 33 34] [35 36 37 38 39] [40 41 42 43 44] [45 46 47 48 49]]
            [[50 51 52 53 54] [55 56 57 58 59] [60 61 62 63 64] [65 66 67 68 69] [70 71 72 73 74]]
            [[75 76 77 78 79] [80 81 82 83 84] [85 86 87 88 89] [90 91 92 93 94] [95 96 97 98 99]]
        );
    };
    ($sender:ident [$($a:tt)*] [$($b:tt)*] [$($c:tt)*] [$($d:tt)*]) => {
        type Senders<'a> = (
            $crate::events::senders!(@25 $sender $($a)*),
            $crate::events::senders!(@25 $sender $($b)*),
            $crate::events::senders!(@25 $sender $($c)*),
            $crate::events::senders!(@25 $sender $($d)*),
        );
    };
    (@25 $sender:ident $([$($number:literal)*])*) => { ($(($($sender<'a, Typed<$number>>,)*),)*) };
}
pub(crate) use senders;
