//! Without the feature `inspect`, no value is shown or edited.

pub(crate) type Fields<T> = std::marker::PhantomData<fn(T)>;

pub(super) fn fields_of_engine<T>() -> Fields<T> {
    std::marker::PhantomData
}

pub(super) use fields_of_engine as editable_fields;

pub(crate) trait Uninspected {}
impl<T> Uninspected for T {}
pub(crate) use self::{
    Uninspected as InspectComponents, Uninspected as InspectEvents, Uninspected as InspectResource,
    Uninspected as InspectState,
};
