// Words with the same beginning are forms of one word.
const stem = 7

/** The words of a line that carry its meaning: names, numbers, and words of four letters or more. */
export function termsOf(line: string): Set<string> {
  const terms = new Set<string>()
  for (const [word] of line.toLowerCase().matchAll(/[\p{L}\p{N}_]{1,64}/gu)) {
    if (word.length >= 4 || /[\p{N}]|[^\p{ASCII}]/u.test(word)) terms.add(word.slice(0, stem))
  }
  return terms
}

/** The share of the terms that the others hold too, 0 to 1. */
export function sharedTerms(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let held = 0
  for (const term of terms) if (others.has(term)) held += 1
  return terms.size === 0 ? 1 : held / terms.size
}
