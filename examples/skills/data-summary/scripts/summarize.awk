# Summarises a CSV, TSV or semicolon-separated file by column, as a Markdown table.
# Use: awk -f summarize.awk file.csv
# Plain POSIX awk. Quoted fields may hold separators, line breaks and doubled quotes.

BEGIN {
  MOST_VALUES = 10000
  record = ""
  isOpen = 0
  width = 0
  rows = 0
  uneven = 0
}

{
  sub(/\r$/, "")
  if (NR == 1) sub(/^\357\273\277/, "")
  record = isOpen ? record "\n" $0 : $0
  # A record goes on in the next line as long as a quote is open in it.
  if (countOf(record, "\"") % 2 == 1) {
    isOpen = 1
    next
  }
  isOpen = 0
  if (record != "") addRecord(record)
}

END {
  if (isOpen) {
    print "A quoted field is never closed: the rows from there on were left out."
    print ""
  }
  if (width == 0) {
    print "The file has no rows."
    exit
  }
  printf "%d %s, %d %s\n\n", rows, (rows == 1 ? "row" : "rows"), width, (width == 1 ? "column" : "columns")
  print "| column | type | filled | empty | distinct | min | max | mean | most frequent |"
  print "|---|---|---|---|---|---|---|---|---|"
  for (column = 1; column <= width; column++) printColumn(column)
  if (uneven > 0) printf "\n%d %s more or fewer fields than the header.\n", uneven, (uneven == 1 ? "row has" : "rows have")
}

function addRecord(text, count, column) {
  if (width == 0) {
    separator = separatorOf(text)
    width = split_record(text)
    for (column = 1; column <= width; column++) name[column] = trimmed(field[column])
    return
  }
  count = split_record(text)
  rows++
  if (count != width) uneven++
  for (column = 1; column <= width; column++) addValue(column, column <= count ? trimmed(field[column]) : "")
}

# The one that occurs most often in the header; a comma when none does.
function separatorOf(text, best) {
  best = ","
  if (countOf(text, ";") > countOf(text, best)) best = ";"
  if (countOf(text, "\t") > countOf(text, best)) best = "\t"
  return best
}

function countOf(text, character, parts) {
  return character == "\t" ? split(text, parts, "\t") - 1 : split(text, parts, "[" character "]") - 1
}

# Puts the fields into the array "field" and returns how many there are.
function split_record(text, length_, at, character, value, count, isQuoted) {
  length_ = length(text)
  count = 0
  value = ""
  isQuoted = 0
  for (at = 1; at <= length_; at++) {
    character = substr(text, at, 1)
    if (isQuoted) {
      if (character != "\"") value = value character
      else if (substr(text, at + 1, 1) == "\"") {
        value = value "\""
        at++
      } else isQuoted = 0
    } else if (character == "\"") isQuoted = 1
    else if (character == separator) {
      field[++count] = value
      value = ""
    } else value = value character
  }
  field[++count] = value
  return count
}

function trimmed(text) {
  sub(/^[ \t\n]+/, "", text)
  sub(/[ \t\n]+$/, "", text)
  return text
}

function addValue(column, value, key) {
  if (value == "") {
    empty[column]++
    return
  }
  filled[column]++
  if (isNumber(value)) {
    numbers[column]++
    sum[column] += value
    if (numbers[column] == 1 || value + 0 < least[column] + 0) least[column] = value
    if (numbers[column] == 1 || value + 0 > most[column] + 0) most[column] = value
  } else if (value ~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]/) {
    dates[column]++
    if (dates[column] == 1 || (value "") < first[column]) first[column] = value ""
    if (dates[column] == 1 || (value "") > last[column]) last[column] = value ""
  }
  key = column SUBSEP value
  if (key in times) times[key]++
  else if (distinct[column] < MOST_VALUES) {
    times[key] = 1
    distinct[column]++
  } else {
    isCut[column] = 1
    return
  }
  if (times[key] > commonTimes[column]) {
    commonTimes[column] = times[key]
    common[column] = value
  }
}

function isNumber(value) {
  return value ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/
}

function printColumn(column, type, low, high, mean, frequent) {
  type = typeOf(column)
  low = type == "number" ? least[column] : type == "date" ? first[column] : ""
  high = type == "number" ? most[column] : type == "date" ? last[column] : ""
  mean = type == "number" ? sprintf("%.6g", sum[column] / numbers[column]) : ""
  frequent = filled[column] ? cell(common[column]) " (" commonTimes[column] ")" : ""
  printf "| %s | %s | %d | %d | %d%s | %s | %s | %s | %s |\n", cell(name[column]), type, filled[column], empty[column], \
    distinct[column], (isCut[column] ? "+" : ""), low, high, mean, frequent
}

function typeOf(column) {
  if (filled[column] == 0) return "empty"
  if (numbers[column] == filled[column]) return "number"
  return dates[column] == filled[column] ? "date" : "text"
}

# What fits into a cell of a Markdown table.
function cell(text) {
  gsub(/\n/, " ", text)
  gsub(/[|]/, "\\|", text)
  return length(text) > 40 ? substr(text, 1, 39) "..." : text
}
