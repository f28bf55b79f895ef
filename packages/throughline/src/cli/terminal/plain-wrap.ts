/**
 * A text divided at its spaces into lines of at most `width` characters, the later ones indented. For
 * our own words, which take a column for each character, where nothing else is loaded.
 */
export function plainWrap(text: string, width: number, indent = 0): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    const room = lines.length === 0 ? width : width - indent
    if (line === '' || longer.length <= room) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  const margin = ' '.repeat(indent)
  return [...lines, line].map((each, index) => (index === 0 ? each : margin + each))
}
