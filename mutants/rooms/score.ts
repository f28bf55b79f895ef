import type { Sample } from './sample.ts'

/** What Stryker's JSON report says, as far as it is read here. */
export interface MutantReport {
  files: Record<string, { source: string; mutants: readonly ReportedMutant[] }>
}

interface ReportedMutant {
  mutatorName: string
  replacement?: string
  status: string
  location: { start: Place; end: Place }
}

interface Place {
  line: number
  column: number
}

/** A mutant that no test noticed. */
export interface Survivor {
  file: string
  line: number
  /** What stood there, and what stands there now. */
  was: string
  became: string
  /** No test even runs it. */
  covered: boolean
}

/** What a run found in a room. */
export interface RoomRun {
  room: string
  sample?: Sample
  date: string
  /** All mutants of the room but for static ones. */
  mutants: number
  /** Mutants that were tried against the tests that cover them, and those that were caught. */
  tried: number
  caught: number
  /** Mutants that no test runs: known without trying. */
  uncovered: number
  /** Of all mutants the share that is caught, in percent: of a sample, an estimate. */
  score: number
  survivors: Survivor[]
}

const caught = new Set(['Killed', 'Timeout'])

/** Counts what a report of Stryker says of a room. */
export function scoreOf(
  { files }: MutantReport,
  { room, sample }: { room: string; sample?: Sample },
): RoomRun {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, mutant })),
  )
  const having = (...statuses: string[]) =>
    all.filter(({ mutant }) => statuses.includes(mutant.status))
  const killed = all.filter(({ mutant }) => caught.has(mutant.status)).length
  const survived = having('Survived')
  const uncovered = having('NoCoverage')
  const notTried = having('CompileError').length
  const tried = killed + survived.length
  const covered = tried + notTried
  const mutants = covered + uncovered.length
  const share = tried === 0 ? 0 : killed / tried
  return {
    room,
    ...(sample && { sample }),
    date: new Date().toISOString().slice(0, 10),
    mutants,
    tried,
    caught: killed,
    uncovered: uncovered.length,
    score: mutants === 0 ? 100 : Math.round((share * covered * 1_000) / mutants) / 10,
    survivors: [...survived, ...uncovered].map(({ file, source, mutant }) => ({
      file: file.slice(file.indexOf('src/') + 4),
      line: mutant.location.start.line,
      was: oneLine(textAt(source, mutant.location)),
      became: oneLine(mutant.replacement ?? mutant.mutatorName),
      covered: mutant.status === 'Survived',
    })),
  }
}

function textAt(source: string, { start, end }: ReportedMutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n')
}

const longest = 70

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
