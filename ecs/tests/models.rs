//! Random operations on the framework and on naive models; everything visible is compared.

mod bulk;
mod changes;
mod event_delivery;
mod event_delivery_model;
mod links;
mod operations;
mod stream;
mod timers;
