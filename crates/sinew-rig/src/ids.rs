//! Typed indices.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
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
    };
}

id!(
    /// A bone of the skeleton: for glTF the node of the same index.
    BoneId
);
id!(
    /// A mesh of the character.
    MeshId
);
id!(
    /// A bind of the character.
    BindId
);
id!(
    /// A mesh instance of the character.
    InstanceId
);
id!(
    /// A material of the character.
    MaterialId
);
id!(
    /// An image of the character.
    ImageId
);
id!(
    /// A clip of the character.
    ClipId
);
