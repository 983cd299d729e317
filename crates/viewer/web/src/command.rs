//! Commands of a page: a code and its arguments, all numbers.

use sinew_engine::model::enums::Mouse;

/// Maximum length of a command. (byte)
pub const MAX_COMMAND: usize = 64;

/// An invalid command message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCommand {
    /// The length is not that of 1 to 8 numbers.
    #[error("a command is 1 to 8 numbers of 8 bytes")]
    Length,
    /// Unknown code, or wrong number of arguments.
    #[error("no command {0} has {1} arguments")]
    Unknown(i64, usize),
    /// An argument that is not a finite number.
    #[error("an argument is not finite")]
    NotFinite,
}

macro_rules! commands {
    ($($code:literal $name:ident($($arg:ident),*) $doc:literal;)*) => {
        /// Commands of a page.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Command {
            $(#[doc = $doc] $name([f64; <[&str]>::len(&[$(stringify!($arg)),*])]),)*
        }

        impl Command {
            fn from_numbers(code: i64, args: &[f64]) -> Result<Self, BadCommand> {
                match code {
                    $($code => args.try_into().map(Command::$name).map_err(|_| BadCommand::Unknown(code, args.len())),)*
                    _ => Err(BadCommand::Unknown(code, args.len())),
                }
            }
        }
    };
}

// codes must match `page/src/command.js`
commands! {
    1 Run(on) "Runs, or pauses.";
    2 Step(count) "Takes steps while paused; negative ones go back in history.";
    3 Speed(factor) "Simulated time per real time.";
    4 Reset() "Goes to the initial state.";
    5 Keyframe(id) "Goes to a keyframe.";
    6 Ctrl(id, value) "Sets a control.";
    7 Qpos(id, value) "Sets a coordinate.";
    8 ClearCtrl() "Sets all controls to zero.";
    10 MoveCamera(action, dx, dy) "Moves the camera by a share of the picture's height.";
    11 CameraKind(kind, id) "Free, tracking a body, or one of the model's.";
    12 FreeCamera() "Puts the free camera where it was first.";
    20 Select(x, y, aspect) "Selects what is at a point of the picture.";
    21 LookAt(x, y, aspect) "Lets the camera look at what is at a point of the picture.";
    22 Track(x, y, aspect) "Lets the camera track what is at a point of the picture.";
    23 StartPush(bits) "Begins to pull or turn the selected body.";
    24 MovePush(action, dx, dy) "Pulls or turns it by a share of the picture's height.";
    25 EndPush() "Lets it go.";
    26 SelectBody(id) "Selects a body.";
    30 Flag(id, on) "Shows something (`mjtVisFlag`).";
    31 Drawing(id, on) "Draws in some way (`mjtRndFlag`).";
    32 Group(kind, id, on) "Shows a group of geoms, sites, joints, tendons, actuators, flexes or skins.";
    33 Label(kind) "What has labels (`mjtLabel`).";
    34 Frame(kind) "What has frames (`mjtFrame`).";
    35 BvhDepth(level) "Level of bounding volumes to show.";
    36 FlexLayer(layer) "Layer of solid flexes to show.";
    40 Key(code) "A key was pressed (GLFW's code).";
    41 Cursor(time) "Goes to a time of a recorded motion.";
    42 Next() "Wants the next frame.";
    43 Size(width, height) "The picture has another size, in pixels.";
}

impl Command {
    /// Reads a command.
    ///
    /// # Errors
    /// The bytes are not a valid command.
    pub fn decode(bytes: &[u8]) -> Result<Self, BadCommand> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        if bytes.len() > MAX_COMMAND || !rest.is_empty() {
            return Err(BadCommand::Length);
        }
        let mut values = [0.0; MAX_COMMAND / 8];
        for (value, number) in values.iter_mut().zip(numbers) {
            *value = f64::from_le_bytes(*number);
        }
        if values.iter().any(|v| !v.is_finite()) {
            return Err(BadCommand::NotFinite);
        }
        match &values[..numbers.len()] {
            [code, args @ ..] if code.fract() == 0.0 => Self::from_numbers(*code as i64, args),
            _ => Err(BadCommand::Length),
        }
    }
}

/// Converts a number to a mouse action.
pub(crate) fn mouse(action: f64) -> Option<Mouse> {
    index(action).and_then(|code| Mouse::try_from(code as i32).ok())
}

/// Converts a number to an index.
pub(crate) fn index(number: f64) -> Option<usize> {
    (number >= 0.0 && number <= f64::from(i32::MAX) && number.fract() == 0.0).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(numbers: &[f64]) -> Vec<u8> {
        numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    #[test]
    fn commands_come_back_and_others_are_refused() {
        assert_eq!(Command::decode(&bytes(&[6.0, 2.0, -0.5])), Ok(Command::Ctrl([2.0, -0.5])));
        assert_eq!(Command::decode(&bytes(&[4.0])), Ok(Command::Reset([])));
        assert_eq!(Command::decode(&bytes(&[6.0, 2.0])), Err(BadCommand::Unknown(6, 1)));
        assert_eq!(Command::decode(&bytes(&[99.0])), Err(BadCommand::Unknown(99, 0)));
        assert_eq!(Command::decode(&bytes(&[6.0, f64::NAN, 0.0])), Err(BadCommand::NotFinite));
        assert_eq!(Command::decode(&[0; 7]), Err(BadCommand::Length));
        assert_eq!(Command::decode(&[]), Err(BadCommand::Length));
        assert_eq!(Command::decode(&[0; 72]), Err(BadCommand::Length));
    }

    proptest! {
        #[test]
        fn no_bytes_end_the_process(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            _ = Command::decode(&bytes);
        }
    }
}
