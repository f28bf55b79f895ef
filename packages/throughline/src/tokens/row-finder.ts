/** A row of a table of model families: the words that every name of the family has in a row. */
export interface FamilyRow {
  model: string
}

/**
 * Finds the row of a model, whoever serves it: the one with the most words of its name, of which
 * prefixes, dates, versions and spelling are no part.
 */
export function rowFinder<Row extends FamilyRow>(
  table: readonly Row[],
): (model: string) => Row | undefined {
  const rows = table.map((row) => ({ words: wordsOf(row.model), row }))
  return (model) => {
    if (model.length > 200) return undefined
    const words = wordsOf(model)
    let best: (typeof rows)[number] | undefined
    for (const row of rows) {
      if (row.words.length > (best?.words.length ?? 0) && holds(words, row.words)) best = row
    }
    return best?.row
  }
}

/** `gpt-4o`, `openai/GPT_4o` and `gpt 4o` are the same words: gpt, 4, o. */
function wordsOf(model: string): string[] {
  return model.toLowerCase().match(/[a-z]+|\d+/g) ?? []
}

function holds(words: readonly string[], part: readonly string[]): boolean {
  for (let start = 0; start + part.length <= words.length; start++) {
    if (part.every((word, index) => words[start + index] === word)) return true
  }
  return false
}
