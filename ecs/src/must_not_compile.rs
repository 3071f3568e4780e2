//! Programs that must not compile, checked as documentation tests. Not part of the library.
//!
//! A method parameter that is not a [`Param`](crate::Param):
//! ```compile_fail,E0277
//! # use ecs::{Engine, Setup, System};
//! struct Wrong;
//! impl System for Wrong {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update(Self::update);
//!     }
//! }
//! impl Wrong {
//!     fn update(&mut self, _: String) {}
//! }
//! ```
//! The same in functions that have settings, also within a tuple:
//! ```compile_fail,E0277
//! # use ecs::prelude::*;
//! fn first() {}
//! fn wrong(_: &Query<&u32>) {}
//! Engine::new().add((first, wrong.after(first)));
//! ```
//! ```compile_fail,E0277
//! # use ecs::prelude::*;
//! fn first() {}
//! fn wrong(_: Time, _: &Query<&u32>) {}
//! Engine::new().add((first, wrong).chain());
//! ```
//! ```compile_fail,E0277
//! # use ecs::prelude::*;
//! fn wrong() -> u32 {
//!     1
//! }
//! Engine::new().add(wrong.run_if(|_: Time| true));
//! ```
//! `&mut World` without `update_exclusive`:
//! ```compile_fail,E0277
//! # use ecs::{Setup, System, World};
//! struct Wrong;
//! impl System for Wrong {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update(Self::update);
//!     }
//! }
//! impl Wrong {
//!     fn update(&mut self, _: &mut World) {}
//! }
//! ```
//! More than eight parameters:
//! ```compile_fail,E0277
//! # use ecs::{Setup, System, Time};
//! struct Wrong;
//! impl System for Wrong {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update(Self::method);
//!     }
//! }
//! impl Wrong {
//!     fn method(&mut self, _: Time, _: Time, _: Time, _: Time, _: Time, _: Time, _: Time, _: Time, _: Time) {}
//! }
//! ```
//! A method that borrows its system shared:
//! ```compile_fail,E0277
//! # use ecs::{Setup, System, Time};
//! struct Wrong;
//! impl System for Wrong {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update(Self::method);
//!     }
//! }
//! impl Wrong {
//!     fn method(&self, _: Time) {}
//! }
//! ```
//! A method that returns a value:
//! ```compile_fail,E0277
//! # use ecs::{Setup, System, Time};
//! struct Wrong;
//! impl System for Wrong {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update(Self::method);
//!     }
//! }
//! impl Wrong {
//!     fn method(&mut self) -> u32 { 1 }
//! }
//! ```
//! A method whose error is no error:
//! ```compile_fail,E0277
//! # use ecs::{Setup, System, Time};
//! struct Wrong;
//! impl System for Wrong {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update(Self::method);
//!     }
//! }
//! impl Wrong {
//!     fn method(&mut self) -> Result<(), u32> { Ok(()) }
//! }
//! ```
//! A function with a query by reference, with an event that is none, with a parameter that is none, with too many
//! parameters, and what is neither a system nor a function:
//! ```compile_fail,E0277
//! # use ecs::{Engine, Query};
//! fn look(_: &Query<&u32>) {}
//! Engine::new().add(look);
//! ```
//! ```compile_fail,E0277
//! # use ecs::{Engine, Query, Time};
//! fn look(_: Time, _: &Query<&u32>) {}
//! Engine::new().add(look);
//! ```
//! ```compile_fail,E0277
//! # use ecs::{Engine, Time};
//! fn hear(_: &std::cell::Cell<&'static u8>, _: Time) {}
//! Engine::new().add(hear);
//! ```
//! ```compile_fail,E0277
//! # use ecs::{Engine, Time};
//! fn wrong(_: Time, _: String) {}
//! Engine::new().add((wrong, wrong));
//! ```
//! ```compile_fail,E0277
//! # use ecs::{Engine, Time};
//! fn many(_: Time, _: Time, _: Time, _: Time, _: Time, _: Time, _: Time, _: Time, _: Time) {}
//! Engine::new().add(many);
//! ```
//! ```compile_fail,E0277
//! struct Physics;
//! ecs::Engine::new().add(Physics);
//! ```
//! A name of a set where a function is named:
//! ```compile_fail,E0277
//! # use ecs::prelude::*;
//! struct Physics;
//! fn fly() {}
//! Engine::new().add(fly.after(Physics));
//! ```
//! Private state that has no first value:
//! ```compile_fail,E0277
//! # use ecs::prelude::*;
//! struct Never(u32);
//! fn keep(_: Local<Never>) {}
//! Engine::new().add(keep);
//! ```
//! A function that returns a value:
//! ```compile_fail,E0277
//! ecs::Engine::new().every(std::time::Duration::ZERO, || 1_u32);
//! ```
//! ```compile_fail,E0277
//! # #[derive(Clone, Copy)]
//! # struct Hit;
//! ecs::Engine::new().listen(|_: &Hit| 1_u32);
//! ```
//! A listener for an event that is not `Send`:
//! ```compile_fail,E0277
//! # use ecs::{Setup, System, Time};
//! struct Wrong;
//! impl System for Wrong {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.listen(Self::method);
//!     }
//! }
//! impl Wrong {
//!     fn method(&mut self, _: &std::rc::Rc<u8>) {}
//! }
//! ```
//! A listener that takes the event by value:
//! ```compile_fail,E0277
//! # use ecs::{Setup, System, Time};
//! struct Wrong;
//! impl System for Wrong {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.listen(Self::method);
//!     }
//! }
//! impl Wrong {
//!     fn method(&mut self, _: u8) {}
//! }
//! ```
//! A struct of parameters with a field that is none, and one without names:
#![cfg_attr(feature = "derive", doc = "```compile_fail,E0277")]
#![cfg_attr(not(feature = "derive"), doc = "```ignore")]
//! #[derive(ecs::Param)]
//! struct Wrong {
//!     number: u32,
//! }
//! ```
#![cfg_attr(feature = "derive", doc = "```compile_fail")]
#![cfg_attr(not(feature = "derive"), doc = "```ignore")]
//! #[derive(ecs::Param)]
//! struct Wrong(ecs::Time);
//! ```
//! A bundle that is not a tuple:
//! ```compile_fail,E0277
//! struct Position(f32);
//! ecs::Engine::new().spawn(Position(1.0));
//! ```
//! A bundle as a part of a tuple, which would be one component:
#![cfg_attr(feature = "derive", doc = "```compile_fail,E0277")]
#![cfg_attr(not(feature = "derive"), doc = "```ignore")]
//! # use ecs::prelude::*;
//! #[derive(Bundle)]
//! struct Body(u32);
//! ecs::Engine::new().spawn((Body(1), "rock"));
//! ```
//! ```compile_fail,E0277
//! use ecs::Bundle;
//! ecs::Engine::new().spawn(((1_u8,).and((2_u16,)), "rock"));
//! ```
//! A component that is not `Send`:
//! ```compile_fail,E0277
//! ecs::Engine::new().spawn((std::rc::Rc::new(1),));
//! ```
//! An event that is not `Send`:
//! ```compile_fail,E0277
//! ecs::Engine::new().send(std::rc::Rc::new(1));
//! ```
//! An event that is not `Sync`:
//! ```compile_fail,E0277
//! ecs::Engine::new().send(std::cell::Cell::new(1));
//! ```
//! A function that takes a parameter by reference, which is no event:
//! ```compile_fail,E0277
//! ecs::Engine::new().add(|_: &ecs::Res<u32>| {});
//! ```
//! ```compile_fail,E0277
//! ecs::Engine::new().add(|_: &ecs::ResMut<u32>| {});
//! ```
//! A query for something that is not a component access:
//! ```compile_fail,E0277
//! ecs::Engine::new().query::<u32>();
//! ```
//! Writing through a read-only query:
//! ```compile_fail,E0277
//! ecs::Engine::new().read::<&mut u32>();
//! ```
//! Declaring a writing query read-only:
//! ```compile_fail,E0200
//! struct Mine(u32);
//! impl ecs::query::ReadOnlyData for &mut Mine {}
//! ```
//! Keeping a component across a change of structure:
//! ```compile_fail,E0502
//! let mut engine = ecs::Engine::new();
//! let entity = engine.spawn((1_u32,));
//! let kept = engine.get::<u32>(entity);
//! engine.despawn(entity).unwrap();
//! println!("{kept:?}");
//! ```
//! Keeping a query's item across a write to the same query:
//! ```compile_fail,E0502
//! let mut engine = ecs::Engine::new();
//! let entity = engine.spawn((1_u32,));
//! let mut query = engine.query::<&mut u32>();
//! let kept = query.get(entity);
//! *query.get_mut(entity).unwrap() = 2;
//! println!("{kept:?}");
//! ```
//! Two mutable iterators of one query at a time:
//! ```compile_fail,E0499
//! let mut engine = ecs::Engine::new();
//! let mut query = engine.query::<&mut u32>();
//! let first: Vec<_> = query.iter_mut().collect();
//! let second: Vec<_> = query.iter_mut().collect();
//! drop(first);
//! ```
//! A query that outlives its engine:
//! ```compile_fail,E0597
//! let query = {
//!     let mut engine = ecs::Engine::new();
//!     engine.query::<&u32>()
//! };
//! query.count();
//! ```
//! Keeping a parameter beyond the call:
//! ```compile_fail
//! # use ecs::{Query, Setup, System};
//! struct Hoarder(Option<Query<'static, &'static u32>>);
//! impl System for Hoarder {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update(Self::update);
//!     }
//! }
//! impl Hoarder {
//!     fn update(&mut self, query: Query<'static, &'static u32>) {
//!         self.0 = Some(query);
//!     }
//! }
//! ```
//! Sending a `Sender` or `Commands` to another thread:
//! ```compile_fail,E0277
//! fn send(mut sender: ecs::Sender<u8>) {
//!     std::thread::scope(|scope| {
//!         scope.spawn(move || sender.send(1));
//!     });
//! }
//! ```
//! Sharing an engine between threads:
//! ```compile_fail,E0277
//! fn share<T: Sync>() {}
//! share::<ecs::Engine>();
//! ```
//! Creating a world without an engine:
//! ```compile_fail,E0599
//! let world = ecs::World::default();
//! ```
//! Swapping the worlds of two engines, or replacing one within a frame:
//! ```compile_fail,E0277
//! let (mut a, mut b) = (ecs::Engine::new(), ecs::Engine::new());
//! std::mem::swap(&mut *a, &mut *b);
//! ```
//! ```compile_fail,E0277
//! # use ecs::{Engine, Setup, System, World};
//! struct Thief(Engine);
//! impl System for Thief {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update_exclusive(Self::steal);
//!     }
//! }
//! impl Thief {
//!     fn steal(&mut self, world: &mut World) {
//!         std::mem::swap(world, &mut *self.0);
//!     }
//! }
//! ```
//! A change of structure in an exclusive method, which has the world but no commands:
//! ```compile_fail,E0624
//! # use ecs::{Setup, System, World};
//! struct Builder;
//! impl System for Builder {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update_exclusive(Self::build);
//!     }
//! }
//! impl Builder {
//!     fn build(&mut self, world: &mut World) {
//!         world.spawn((1_u8,));
//!     }
//! }
//! ```
//! Observing an event that does not say which entity it concerns:
//! ```compile_fail,E0277
//! # use ecs::Engine;
//! #[derive(Clone, Copy)]
//! struct Tick;
//! let mut engine = Engine::new();
//! let entity = engine.spawn(());
//! engine.observe(entity, |_: &Tick| {});
//! ```
//! Calling a filter outside of a query:
//! ```compile_fail,E0133
//! # use ecs::{EntityId, With, query::QueryFilter};
//! fn ask(fetch: &<With<u8> as QueryFilter>::Fetch) -> bool {
//!     <With<u8> as QueryFilter>::matches(fetch, 0, EntityId::default())
//! }
//! ```
//! Creating an event buffer by inference, to send an event as another type:
//! ```compile_fail,E0277
//! # use ecs::{Param, Sender};
//! fn send(id: <Sender<'static, u8> as Param>::State) {
//!     let buffer = Default::default();
//!     let mut guard = (&buffer, id);
//!     <Sender<u64> as Param>::item(&mut guard).send(1);
//! }
//! ```
//! Exchanging the links of two entities:
//! ```compile_fail,E0596
//! # use ecs::{Query, query::LinksMut, relation::Relation};
//! struct Likes;
//! impl Relation for Likes {}
//! fn exchange(mut people: Query<LinksMut<Likes>>) {
//!     let mut all: Vec<LinksMut<Likes>> = people.iter_mut().collect();
//!     let (first, rest) = all.split_at_mut(1);
//!     std::mem::swap(&mut *first[0], &mut *rest[0]);
//! }
//! ```
//! Getting the buffers of an output, to send with the ids of another engine:
//! ```compile_fail
//! # use ecs::query::ParOutput;
//! fn send<O: ParOutput>(mine: O, other: O) {
//!     O::part(mine.id(), other.buffers(Default::default()));
//! }
//! ```
//! A captured sender in a parallel iteration, and an output that is none:
//! ```compile_fail,E0277
//! # use ecs::{Query, Sender};
//! fn cry(mut hounds: Query<&u8>, mut barks: Sender<u8>) {
//!     hounds.par_for_each(|size| barks.send(*size));
//! }
//! ```
//! ```compile_fail,E0277
//! # use ecs::{Query, Spawner};
//! fn breed(mut hounds: Query<&u8>, mut spawner: Spawner) {
//!     hounds.par_for_each_with(&mut spawner, |spawner, size| _ = spawner.spawn((*size,)));
//! }
//! ```
//! Preparing a parameter with an access of its own, so that the engine does not see the conflict with another parameter:
//! ```compile_fail,E0277
//! # use ecs::{Engine, Param, Query};
//! let mut engine = Engine::new();
//! <Query<&mut u8> as Param>::prepare(&mut engine, &mut Default::default());
//! ```
//! Locking a pool for writing while a component in it is borrowed:
//! ```compile_fail,E0133
//! # use ecs::{Engine, query::QueryData};
//! let mut engine = Engine::new();
//! let entity = engine.spawn((1_u32,));
//! let id = engine.components().id_of::<u32>();
//! let read = engine.get::<u32>(entity);
//! let guard = <&mut u32 as QueryData>::guard(id, engine.components(), &Default::default());
//! println!("{read:?}");
//! ```
