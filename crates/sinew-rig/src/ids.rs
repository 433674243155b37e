//! Typed indices.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the thing at `index` of its list.
            ///
            /// # Panics
            /// If the list is longer than 2³² entries.
            pub fn of(index: usize) -> Self {
                Self(u32::try_from(index).expect("lists hold fewer than 2³² entries"))
            }

            /// The index in its list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// A bone of the skeleton: for glTF the node of the same index.
    BoneId
    /// A mesh of the character.
    MeshId
    /// A bind of the character.
    BindId
    /// A mesh instance of the character.
    InstanceId
    /// A material of the character.
    MaterialId
    /// An image of the character.
    ImageId
    /// A clip of the character.
    ClipId
}
