/** A row of a table of models: the words that all matching names contain, in order. */
export interface NamedRow {
  model: string
}

/**
 * Finds the row of a model, whoever serves it: the one with the most words of its name. Prefixes,
 * spelling and case don't matter; `takes` decides what may follow the words.
 */
export function rowFinder<Row extends NamedRow>(
  table: readonly Row[],
  takes: (rest: readonly string[]) => boolean = () => true,
): (model: string) => Row | undefined {
  const rows = table.map((row) => ({ words: wordsOf(row.model), row }))
  return (model) => {
    if (model.length > 200) return undefined
    const words = wordsOf(model)
    let best: (typeof rows)[number] | undefined
    for (const row of rows) {
      if (row.words.length <= (best?.words.length ?? 0)) continue
      const rest = behind(words, row.words)
      if (rest && takes(rest)) best = row
    }
    return best?.row
  }
}

/** `gpt-4o`, `openai/GPT_4o` and `gpt 4o` are the same words: gpt, 4, o. */
function wordsOf(model: string): string[] {
  return model.toLowerCase().match(/[a-z]+|\d+/g) ?? []
}

function behind(words: readonly string[], part: readonly string[]): string[] | undefined {
  for (let start = 0; start + part.length <= words.length; start++) {
    if (part.every((word, index) => words[start + index] === word)) {
      return words.slice(start + part.length)
    }
  }
  return undefined
}
