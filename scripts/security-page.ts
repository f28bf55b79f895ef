import { readJson, table, type RecordedRun } from './records.ts'
import { attacks, type AttackRun } from '../attacks/attacks.ts'
import type { AttackFigures, FormatFigures } from './format-figures.ts'

/** The page `docs/security.md`: how the promises of SECURITY.md are attacked, and what came of it. */
export function securityPage(): string {
  return [
    ...before,
    ...table(['run', 'what it attacks', 'last run'], runs()),
    '',
    ...attacked,
    ...table(['attack', 'what it does', 'tried', 'broken', 'last run'], attackRows()),
    '',
    ...after,
    '',
  ].join('\n')
}

const before = [
  '# Security tests',
  '',
  'For those who decide whether it is safe to run. [SECURITY.md](../SECURITY.md) says what text, files, peers and plugins may do. This page says how that is tested, and what the long runs have counted. The figures come from recorded runs; each command makes its run again and records it.',
  '',
  '## Long runs',
  '',
]

const attacked = [
  '## Attacks by somebody who had not seen the code',
  '',
  'The programs in `attacks/` were written by a person who knew the documentation and the types of the packed package, but not its code. `npm run record -- attacks` runs them with new seeds, and records what they tried and what broke. In `redact`, D are the forms that [SECURITY.md](../SECURITY.md) lists, N are those that must be removed or named, and U are those that cannot be found.',
  '',
]

function attackRows(): string[][] {
  const made = readJson<AttackRun[]>('attacks.json', [])
  return attacks.map(({ name, does }) => {
    const run = made.find((each) => each.name === name)
    if (!run) return [`\`${name}\``, does, '–', '–', 'not recorded']
    const last = `${run.date}, ${run.size}, seed ${run.seed}`
    const broken = Object.keys(run.broken).length === 0 ? 'none' : listed(run.broken)
    return [`\`${name}\``, does, listed(run.counts), broken, last]
  })
}

const mostListed = 6

/** The largest counts. */
function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostListed)
    .map(([what, count]) => `${number(count)} ${what.replaceAll('|', '/')}`)
    .join(', ')
}

function runs(): string[][] {
  const made = readJson<RecordedRun[]>('runs.json', [])
  const attacks = readJson<AttackFigures>('security.json', {})
  const formats = readJson<FormatFigures[]>('figures.json', [])
  const count = (what: string): number | undefined => attacks[what]?.count
  const fuzzed = formats.flatMap((format) => format.fuzzed ?? [])
  const records = fuzzed.reduce((sum, each) => sum + each.records, 0)
  return [
    [
      '`npm run test:fuzz`',
      'Damaged, torn and nonsensical records of every format: no crash, no hang, no invalid context, and whatever is skipped is named.',
      said(made, 'fuzz', records > 0 && `${number(records)} records of ${fuzzed.length} formats`),
    ],
    [
      '`npm run record -- killed`',
      'A process that writes to the store is killed with SIGKILL at any instant of any kind of work: nothing acknowledged is lost, nothing half-done remains, nothing redacted comes back.',
      said(
        made,
        'killed',
        count('kills') !== undefined &&
          `${number(count('kills') ?? 0)} kills, ${number(count('acknowledged writes') ?? 0)} acknowledged pieces of work`,
      ),
    ],
    [
      '`npm run record -- killed`',
      'Eight processes work on one store at the same time: their answers are those of some order, one after the other.',
      said(
        made,
        'killed',
        count('linearized operations') !== undefined &&
          `${number(count('linearized operations') ?? 0)} operations in ${number(count('linearized histories') ?? 0)} histories, all linearizable`,
      ),
    ],
  ]
}

function said(made: readonly RecordedRun[], name: string, figures: string | false): string {
  const run = made.find((each) => each.name === name)
  if (!run || figures === false) return 'not recorded'
  const result = run.passed ? figures : `**failed** (${figures})`
  return `${run.date}: ${result} (${run.on})`
}

function number(count: number): string {
  return count.toLocaleString('en')
}

const tests = 'npx vitest run packages/throughline/src'

const after = [
  '## In every `npm test` and `npm run test:long`',
  '',
  ...table(
    ['promise', 'command'],
    [
      [
        'No command runs code of the working directory or above it; files of another user, links out of the directory, pipes and huge files are not read',
        `\`${tests}/config packages/throughline/src/cli/commands/config\``,
      ],
      [
        'An MCP client gets its own session or one of its project; 300 MB in one line, 10,000 lines of garbage and 2,000 questions at once leave the server alive',
        `\`${tests}/harnesses/calling packages/throughline/src/integrations/mcp packages/throughline/src/cli/commands/mcp\``,
      ],
      [
        'What holds a session is `0600` from its first byte, whatever the umask; an installed session is found whole or not at all',
        `\`${tests}/cli/output packages/throughline/src/cli/store packages/throughline/src/harnesses/install\``,
      ],
      [
        'A summarizer, hook or store that never answers is given up; a listener that throws harms nothing; odd values are refused',
        `\`${tests}/session/silent-others packages/throughline/src/session/odd-values\``,
      ],
      [
        'Two processes on one session are told whenever one undoes what the other has said',
        `\`${tests}/session/two-at-once\``,
      ],
      [
        'Redaction leaves no byte behind; bit rot is told',
        `\`${tests}/stores/sqlite packages/throughline/src/log/redaction\``,
      ],
      [
        'Everything that is installed to build this is locked by hash and runs nothing at install; the published package depends on nothing',
        '`npx vitest run scripts/supply-chain`',
      ],
    ],
  ),
]
