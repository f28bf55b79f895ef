/** A passage of a source, and what replaces it. */
type Edit = readonly [from: string, to: string]

/** What is switched off: a part of the library, by replacing pieces of its modules. */
export interface Room {
  name: string
  /** Its modules, below `packages/throughline/src`; their lines are counted. */
  files: readonly string[]
  /** By module: exports that replace its own. */
  instead?: Readonly<Record<string, string>>
  /** By module: passages of its source, each with what replaces it. */
  edits?: Readonly<Record<string, readonly Edit[]>>
}

const local = 'compaction/summary/local'
const written = 'facts/summary'
const read = 'facts/statements/read-statements.ts'
const weigh = 'facts/statements/candidates.ts'
const rank = 'facts/statements/rank-statements.ts'
const number = (name: string, from: string, to: string): Edit => [
  `const ${name} = ${from}\n`,
  `const ${name} = ${to}\n`,
]

/** Every part that has to show what it is worth. The first one is the whole library. */
export const rooms: readonly Room[] = [
  { name: 'nothing', files: [] },
  {
    name: 'musing',
    files: [],
    edits: { [read]: [["source === 'thought' && muses(text)", 'false']] },
  },
  {
    name: 'announced',
    files: [],
    edits: { [read]: [['= announcedIn(text)', '= undefined']] },
  },
  {
    name: 'all sentence types',
    files: ['facts/statements/says-little.ts'],
    edits: { [read]: [[': kindOf(unit.text, fact.source)', ': undefined']] },
  },
  { name: 'offers', files: [], edits: { [weigh]: [number('SETTLED', '0.25', '1')] } },
  { name: 'code weighs less', files: [], edits: { [weigh]: [number('CODE', '0.6', '1')] } },
  {
    name: 'kinds weigh alike',
    files: [],
    edits: { [weigh]: [[': WEIGHTS[source])', ': WEIGHTS.answer)']] },
  },
  {
    name: 'worth of shared terms',
    files: [],
    edits: { [rank]: [number('WORTH_OF_SHARED', '0.5', '0')] },
  },
  {
    name: 'next to what is kept',
    files: [],
    edits: { [rank]: [number('BESIDE_KEPT', '1.3', '1')] },
  },
  { name: 'leads', files: [], edits: { [rank]: [['lead < 0 ? -1 : first + lead', '-1']] } },
  {
    name: 'share of what was loaded',
    files: [],
    edits: { [rank]: [number('MOST_LOADED', '0.2', '1')] },
  },
  {
    name: 'words of grammar',
    files: [],
    edits: { 'facts/statements/terms.ts': [[' && !GRAMMAR.has(word)', '']] },
  },
  {
    name: 'written prose',
    files: ['facts/statements/written-prose.ts'],
    instead: {
      'facts/statements/written-prose.ts':
        "export const proseInCommand = () => []; export const commentsIn = () => ''",
    },
  },
  {
    name: 'told by calls',
    files: ['facts/statements/told-by-calls.ts'],
    instead: { 'facts/statements/told-by-calls.ts': 'export const noteToldByCall = () => {}' },
  },
  {
    name: 'loaded instructions',
    files: ['facts/statements/loaded.ts'],
    instead: { 'facts/statements/loaded.ts': 'export const noteLoaded = () => {}' },
  },
  {
    name: 'thinking',
    files: [],
    instead: { 'facts/statements/note-statements.ts': 'export const noteThought = () => {}' },
  },
  {
    name: 'background',
    files: [
      'facts/background/note-background.ts',
      'facts/background/read-background.ts',
      'facts/background/told-background.ts',
    ],
    instead: { 'facts/background/told-background.ts': 'export const backgroundLines = () => []' },
  },
  {
    name: 'telling line',
    files: ['facts/outcome/telling-line.ts'],
    instead: {
      'facts/outcome/telling-line.ts':
        "const end = (text) => text.trim().split('\\n').at(-1); export const errorLines = () => []; export const resultLine = () => undefined; export const showsFailure = () => false; export { end as errorLine, end as firstLine }",
    },
  },
  {
    name: 'commands',
    files: [`${written}/commands.ts`],
    instead: { [`${written}/commands.ts`]: 'export const commands = () => []' },
  },
  {
    name: 'errors',
    files: [],
    instead: { [`${written}/unresolved-errors.ts`]: 'export const unresolvedErrors = () => []' },
  },
  {
    name: 'where it stands',
    files: [`${written}/now.ts`],
    instead: { [`${written}/now.ts`]: 'export const whereItStands = () => []' },
  },
  {
    name: 'human messages',
    files: [`${written}/human-messages.ts`],
    instead: { [`${written}/human-messages.ts`]: 'export const humanMessages = () => []' },
  },
  {
    name: 'changed files',
    files: [`${written}/changed-files.ts`],
    instead: { [`${written}/changed-files.ts`]: 'export const changedFiles = () => []' },
  },
  {
    name: 'lines of files',
    files: [`${written}/file-lines.ts`],
    instead: { [`${written}/file-lines.ts`]: 'export const fileLines = () => []' },
  },
  {
    name: 'names',
    files: [`${written}/name-list.ts`],
    edits: {
      [`${written}/name-list.ts`]: [['if (!said.has(name.name)) ranked.push(name)', '']],
    },
  },
  {
    name: 'talk without work in the tail',
    files: [],
    edits: {
      'compaction/cut/cut.ts': [['= onlyTalk(units, input.tailTurns)', '= new Set<Unit>()']],
    },
  },
  {
    name: 'texts next to the summary',
    files: ['compaction/cut/texts-beside.ts'],
    instead: { 'compaction/cut/texts-beside.ts': 'export const textsBeside = () => []' },
  },
  {
    name: 'doubtful quotes',
    files: [],
    instead: { 'facts/summary/human-lines.ts': 'export const quotedLines = () => []' },
  },
  {
    name: 'earlier summary',
    files: [`${local}/earlier-summary.ts`],
    instead: { [`${local}/earlier-summary.ts`]: 'export const earlierSummary = () => []' },
  },
]
