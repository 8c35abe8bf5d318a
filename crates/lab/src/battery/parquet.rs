//! The matches of a battery as parquet: the columns of the CSV with their types, uncompressed, one row group.

use super::csv::COLUMNS;
use super::round::Row;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

/// The whole file. `metrics` are the further columns, in their order; no value where there is nothing to tell.
pub(crate) fn table(rows: &[Row], metrics: &[&str]) -> Result<Vec<u8>, ParquetError> {
    // A fixed writer's name: the bytes depend on nothing but the rows.
    let properties =
        WriterProperties::builder().set_created_by(format!("sentir {}", env!("CARGO_PKG_VERSION"))).build();
    let mut file = SerializedFileWriter::new(Vec::new(), schema(metrics)?, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    let words = |text: &str| ByteArray::from(text.as_bytes().to_vec());
    put::<ByteArrayType>(&mut group, rows.iter().map(|row| Some(words(row.scene))))?;
    // Seeds and ticks are unsigned: the bits stay, the schema says how to read them.
    put::<Int64Type>(&mut group, rows.iter().map(|row| Some(row.seed.cast_signed())))?;
    put::<ByteArrayType>(&mut group, rows.iter().map(|row| row.outcome.map(words)))?;
    put::<Int64Type>(&mut group, rows.iter().map(|row| Some(row.ticks.cast_signed())))?;
    put::<DoubleType>(&mut group, rows.iter().map(|row| Some(row.seconds)))?;
    for name in metrics {
        put::<DoubleType>(&mut group, rows.iter().map(|row| Some(row.metric(name)).filter(|value| value.is_finite())))?;
    }
    group.close()?;
    file.into_inner()
}

fn schema(metrics: &[&str]) -> Result<TypePtr, ParquetError> {
    let column = |name: &str, physical: Physical, logical: Option<LogicalType>| {
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        Ok::<_, ParquetError>(Arc::new(column.with_logical_type(logical).build()?))
    };
    let unsigned = || Some(LogicalType::integer(64, false));
    let text = || Some(LogicalType::String);
    let [scene, seed, outcome, ticks, seconds] = COLUMNS;
    let mut columns = vec![
        column(scene, Physical::BYTE_ARRAY, text())?,
        column(seed, Physical::INT64, unsigned())?,
        column(outcome, Physical::BYTE_ARRAY, text())?,
        column(ticks, Physical::INT64, unsigned())?,
        column(seconds, Physical::DOUBLE, None)?,
    ];
    for name in metrics {
        columns.push(column(name, Physical::DOUBLE, None)?);
    }
    Ok(Arc::new(Type::group_type_builder("matches").with_fields(columns).build()?))
}

/// Writes the next column.
fn put<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than the matches".to_owned()));
    };
    let mut levels = Vec::new();
    let mut present = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    column.typed::<T>().write_batch(&present, Some(&levels), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::super::round::tests::row;
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn a_written_table_reads_back() {
        let rows = [row(u64::MAX, "gave up", &[("x_m", 0.1)]), row(2, "caught", &[("x_m", f64::NAN)])];
        let bytes = table(&rows, &["x_m"]).unwrap();
        assert_eq!(bytes, table(&rows, &["x_m"]).unwrap(), "the same rows give the same bytes");
        let path = std::env::temp_dir().join(format!("sentir-parquet-{}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        std::fs::remove_file(&path).unwrap();
        // Without quotes, which only make the lines below harder to read.
        let plain = |row: parquet::record::Row| row.to_string().replace('"', "");
        let told: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| plain(row.unwrap())).collect();
        assert_eq!(
            told,
            [
                "{scene: patrol, seed: 18446744073709551615, outcome: gave up, ticks: 90, seconds: 1.5, x_m: 0.1}",
                "{scene: patrol, seed: 2, outcome: caught, ticks: 90, seconds: 1.5, x_m: null}",
            ]
        );
        assert!(table(&[], &[]).is_ok());
    }
}
