//! Random operations on the framework and on naive models; everything visible is compared.

mod bulk;
mod bus;
mod bus_model;
mod operations;
mod stream;
mod timers;
