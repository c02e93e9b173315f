//! Questions that are asked about one position in the query of a URL, and about many in a body.

/// Defines a question three times from one list of its parameters: about one state, in a query; about many
/// positions, in a body; and what both ask besides. Each parameter has what the document says of it in a
/// query and in a body.
macro_rules! questions {
    (
        $(#[$doc:meta])* $question:ident;
        $(#[$one_doc:meta])* $one:ident;
        $(#[$many_doc:meta])* $many:ident;
        $(
            $(#[$field_doc:meta])*
            $field:ident: Option<$type:ty>, param($($param:tt)*), schema($($schema:tt)*);
        )+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default)]
        pub struct $question {
            $($(#[$field_doc])* pub $field: Option<$type>,)+
        }

        $(#[$one_doc])*
        #[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
        pub struct $one {
            /// The state, in the notation of the game.
            #[cfg_attr(feature = "openapi", param(max_length = 512))]
            pub state: String,
            $(
                $(#[$field_doc])*
                #[serde(skip_serializing_if = "Option::is_none")]
                #[cfg_attr(feature = "openapi", param($($param)*))]
                pub $field: Option<$type>,
            )+
        }

        $(#[$many_doc])*
        #[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct $many {
            /// The positions.
            #[cfg_attr(
                feature = "openapi",
                schema(value_type = Vec<crate::PositionQuestion>, max_items = 1000)
            )]
            pub positions: Vec<crate::Entry>,
            $(
                $(#[$field_doc])*
                #[serde(default, skip_serializing_if = "Option::is_none")]
                #[cfg_attr(feature = "openapi", schema($($schema)*))]
                pub $field: Option<$type>,
            )+
        }

        impl $one {
            /// The question about a state, with nothing asked besides.
            pub fn about(state: impl Into<String>) -> Self {
                Self { state: state.into(), ..Self::default() }
            }

            /// The state, and what is asked about it.
            #[must_use]
            pub fn split(self) -> (String, $question) {
                (self.state, $question { $($field: self.$field),+ })
            }
        }

        impl $many {
            /// The question about some positions, with nothing asked besides.
            pub fn about(positions: impl IntoIterator<Item = crate::PositionQuestion>) -> Self {
                Self { positions: positions.into_iter().map(Into::into).collect(), ..Self::default() }
            }

            /// The positions, and what is asked about them.
            #[must_use]
            pub fn split(self) -> (Vec<crate::Entry>, $question) {
                (self.positions, $question { $($field: self.$field),+ })
            }
        }
    };
}
pub(super) use questions;
