//! `sinew plot`: recorded values over time, as SVG.

use crate::motion::{archive, array, names};
use plotters::prelude::*;
use std::process::ExitCode;

const COLOURS: [RGBColor; 8] = [
    RGBColor(31, 119, 180),
    RGBColor(255, 127, 14),
    RGBColor(44, 160, 44),
    RGBColor(214, 39, 40),
    RGBColor(148, 103, 189),
    RGBColor(140, 86, 75),
    RGBColor(227, 119, 194),
    RGBColor(23, 190, 207),
];
/// Maximum number of lines in a plot.
const MOST: usize = 64;

/// Plot recorded values over time
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sinew run robot.xml --output run.npz\n  \
    sinew plot run.npz qpos[0:3] ctrl -o run.svg")]
pub struct Args {
    /// Motion recorded by `sinew run --output`, as .npz
    motion: String,
    /// Arrays to plot: qpos, qvel[2], sensordata[0:3]
    #[arg(required = true)]
    what: Vec<String>,
    /// File to write, an SVG
    #[arg(short, long)]
    output: String,
    /// Width and height in pixels
    #[arg(long, default_value = "900x500", value_parser = crate::render::size)]
    size: (usize, usize),
}

/// Writes the plot.
pub fn main(args: &Args) -> ExitCode {
    match lines(args).and_then(|lines| draw(args, &lines)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A line: its name and its points.
struct Line {
    name: String,
    points: Vec<(f64, f64)>,
}

/// The first column, and one past the last; `None` means to the end.
type Columns = (usize, Option<usize>);

/// Parses an array name and a range of its columns.
fn columns(text: &str) -> Result<(&str, Option<Columns>), String> {
    let Some((name, rest)) = text.split_once('[') else { return Ok((text, None)) };
    let wrong = || format!("'{text}': expected an array such as qpos, qpos[2] or qpos[0:3]");
    let inner = rest.strip_suffix(']').ok_or_else(wrong)?;
    let number = |s: &str| s.parse::<usize>().map_err(|_| wrong());
    let range = match inner.split_once(':') {
        None => (number(inner)?, Some(number(inner)? + 1)),
        Some((from, to)) => {
            let from = if from.is_empty() { 0 } else { number(from)? };
            (from, if to.is_empty() { None } else { Some(number(to)?) })
        }
    };
    Ok((name, Some(range)))
}

fn lines(args: &Args) -> Result<Vec<Line>, String> {
    let path = args.motion.as_str();
    let mut npz = archive(path)?;
    if !names(&mut npz, path)?.iter().any(|n| n == "time") {
        return Err(format!("{path} has no array 'time'; plot what `sinew run --output` has written"));
    }
    let time: Vec<f64> = array(&mut npz, path, "time")?.iter().copied().collect();
    let mut all = Vec::new();
    for text in &args.what {
        let (name, range) = columns(text)?;
        let values = array(&mut npz, path, name)?;
        let width = values.len() / time.len().max(1);
        let (from, to) = range.map_or((0, width), |(from, to)| (from, to.unwrap_or(width)));
        if from >= to || to > width {
            return Err(format!("'{text}': {name} has {width} columns"));
        }
        let values: Vec<f64> = values.iter().copied().collect();
        for column in from..to {
            let points = time.iter().enumerate().map(|(row, t)| (*t, values[row * width + column]));
            let points = points.filter(|(t, v)| t.is_finite() && v.is_finite()).collect();
            all.push(Line { name: if width == 1 { name.into() } else { format!("{name}[{column}]") }, points });
        }
    }
    if all.len() > MOST { Err(format!("{} lines are more than {MOST}: choose columns", all.len())) } else { Ok(all) }
}

/// Axis limits for some values: minimum and maximum, with a margin.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    match high - low {
        w if w > 0.0 => (low - 0.05 * w, high + 0.05 * w),
        _ if high == low => (low - 1.0, high + 1.0),
        _ => (0.0, 1.0), // no values
    }
}

fn draw(args: &Args, lines: &[Line]) -> Result<(), String> {
    let failed = |e: &dyn std::fmt::Display| format!("cannot write {}: {e}", args.output);
    let (width, height) = args.size;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        root.fill(&WHITE).map_err(|e| failed(&e))?;
        let points = || lines.iter().flat_map(|l| l.points.iter());
        let (time, value) = (span(points().map(|p| p.0)), span(points().map(|p| p.1)));
        let mut chart = ChartBuilder::on(&root)
            .margin(12)
            .x_label_area_size(38)
            .y_label_area_size(58)
            .build_cartesian_2d(time.0..time.1, value.0..value.1)
            .map_err(|e| failed(&e))?;
        let mesh = chart.configure_mesh().x_desc("time (s)").light_line_style(BLACK.mix(0.05)).draw();
        mesh.map_err(|e| failed(&e))?;
        for (i, line) in lines.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let series = LineSeries::new(line.points.iter().copied(), colour.stroke_width(2));
            let drawn = chart.draw_series(series).map_err(|e| failed(&e))?;
            drawn
                .label(&line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        let labels =
            chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.2)).draw();
        labels.map_err(|e| failed(&e))?;
        root.present().map_err(|e| failed(&e))?;
    }
    std::fs::write(&args.output, svg).map_err(|e| failed(&e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read() {
        assert_eq!(columns("qpos"), Ok(("qpos", None)));
        assert_eq!(columns("qpos[2]"), Ok(("qpos", Some((2, Some(3))))));
        assert_eq!(columns("a[1:3]"), Ok(("a", Some((1, Some(3))))));
        assert_eq!(columns("a[:]"), Ok(("a", Some((0, None)))));
        for wrong in ["a[", "a[x]", "a[1:2:3]", "a[-1]"] {
            assert!(columns(wrong).is_err(), "{wrong}");
        }
        assert_eq!(span([2.0, 2.0].into_iter()), (1.0, 3.0));
        assert_eq!(span([].into_iter()), (0.0, 1.0));
    }
}
