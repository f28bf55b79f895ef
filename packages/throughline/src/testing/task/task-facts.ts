/** What an agent needs to know at the end and was told, or read, at the beginning. */
export interface TaskFacts {
  /** The beginning of new names: in docs/conventions.md, and needed for every file. */
  prefix: string
  /** In docs/conventions.md, and needed for the report at the very end. */
  releaseCode: string
  /** The file that the human forbids changing. */
  forbidden: string
}

export const taskFacts: TaskFacts = {
  prefix: 'kestrel_',
  releaseCode: 'QUARTZ-5127',
  forbidden: 'src/acquired',
}

/** The human's request. */
export function requestOf({ forbidden }: TaskFacts): string {
  return [
    'Rename the constant whose name begins with legacy in every file below src, one file after the other, as docs/conventions.md says.',
    `Never change anything in ${forbidden}.`,
    'When all files are done, write REPORT.md: a line with the release code of docs/conventions.md, and a line with the number of files that you changed.',
  ].join('\n')
}

export function conventionsOf(facts: TaskFacts): string {
  return `# Conventions\n\nIn this project ${sentenceOf(facts)}.\n`
}

/** The wording of the facts, in the file and in the words of an agent that has read it. */
export function sentenceOf({ prefix, releaseCode }: Omit<TaskFacts, 'forbidden'>): string {
  return `new names begin with ${prefix} in place of legacy, and the release code is ${releaseCode}`
}

/** Which of the facts these texts contain. */
export function factsIn(texts: readonly string[]): Partial<TaskFacts> {
  const facts: Partial<TaskFacts> = {}
  for (const text of texts) {
    const prefix = /new names begin with `?([a-z]+_)/.exec(text)?.[1]
    const releaseCode = /release code is `?([A-Z]+-\d+)/.exec(text)?.[1]
    const forbidden = /Never change anything in `?([\w/]+)/.exec(text)?.[1]
    if (prefix !== undefined) facts.prefix = prefix
    if (releaseCode !== undefined) facts.releaseCode = releaseCode
    if (forbidden !== undefined) facts.forbidden = forbidden
  }
  return facts
}
