/** What a careful reader says of the human's sentences in one session; see labels/README.md. */
export interface Labelled {
  /** A file of the corpus; else `messages` are all that there is. */
  session?: string
  case?: string
  messages?: readonly string[]
  upTo?: number
  rules: readonly { at: number; words: string }[]
  takenBack?: readonly { at: number; words: string; what: string }[]
  either?: readonly { at: number; words: string }[]
}

/** A rule as the library reads it. */
export interface ReadRule {
  text: string
  seq: number
  retractedBy?: number
  later?: readonly { seq: number }[]
}

/** How the library's rules compare with the labels of one session. */
export interface Score {
  name: string
  found: number
  /** The words of rules that were not read. */
  missed: string[]
  /** What was read and is no rule. */
  wrong: string[]
  takenBack: number
  /** What was taken back and is in force all the same. */
  keptInForce: string[]
  /** How many of those stand with the words that take them back. */
  beside: number
}

/** Compares what was read with the labels; `seqOf` gives the entry of a label. */
export function scoreOf(
  { session, case: name, upTo = Infinity, rules, takenBack = [], either = [] }: Labelled,
  read: readonly ReadRule[],
  seqOf: (at: number) => number,
): Score {
  const isAt = (rule: ReadRule, label: { at: number; words: string }): boolean =>
    rule.seq === seqOf(label.at) && shareWords(rule.text, label.words)
  const labels = [...rules, ...takenBack, ...either]
  const last = session === undefined ? Infinity : upTo
  const wrong = read.filter(
    (rule) => rule.seq <= last && !labels.some((label) => isAt(rule, label)),
  )
  const missed = rules.filter((label) => !read.some((rule) => isAt(rule, label)))
  const keptOf = ({ at, what }: { at: number; what: string }): ReadRule | undefined =>
    read.find(
      (rule) =>
        rule.seq < seqOf(at) && rule.retractedBy === undefined && shareWords(rule.text, what),
    )
  const kept = takenBack.filter(keptOf)
  const beside = takenBack.filter((label) =>
    keptOf(label)?.later?.some(({ seq }) => seq === seqOf(label.at)),
  )
  return {
    name: session ?? name ?? '',
    found: rules.length - missed.length,
    missed: missed.map(({ words }) => words),
    wrong: wrong.map(({ text }) => text),
    takenBack: takenBack.length,
    keptInForce: kept.map(({ what }) => what),
    beside: beside.length,
  }
}

/** A label names words of a sentence; what was read may be more or less of it. */
function shareWords(text: string, words: string): boolean {
  const [one, other] = [text, words].map((each) => each.replace(/\s+/g, ' ').trim().toLowerCase())
  return one !== undefined && other !== undefined && (one.includes(other) || other.includes(one))
}
