import type { Mutant } from './instrument.ts'
import type { Sample } from './sample.ts'

/** A mutant and what became of it. */
export interface TriedMutant {
  /** Below `packages/throughline/src`. */
  file: string
  /** The file as it is without mutants. */
  source: string
  mutant: Pick<Mutant, 'mutatorName' | 'replacement' | 'location'>
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Untried'
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
  /** What was mutated; unknown of runs before it was noted. */
  commit?: string
  /** Seconds that the tests of one mutant might take; 20 where it is not noted. */
  patience?: number
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

/** Counts what became of the mutants of a room. */
export function scoreOf(
  all: readonly TriedMutant[],
  { room, sample, commit, patience }: Pick<RoomRun, 'room' | 'sample' | 'commit' | 'patience'>,
): RoomRun {
  const having = (...statuses: TriedMutant['status'][]) =>
    all.filter(({ status }) => statuses.includes(status))
  const killed = having('Killed', 'Timeout').length
  const survived = having('Survived')
  const uncovered = having('NoCoverage')
  const notTried = having('Untried').length
  const tried = killed + survived.length
  const covered = tried + notTried
  const mutants = covered + uncovered.length
  const share = tried === 0 ? 0 : killed / tried
  return {
    room,
    ...(sample && { sample }),
    date: new Date().toISOString().slice(0, 10),
    ...(commit !== undefined && { commit }),
    ...(patience !== undefined && { patience }),
    mutants,
    tried,
    caught: killed,
    uncovered: uncovered.length,
    score: mutants === 0 ? 100 : Math.round((share * covered * 1_000) / mutants) / 10,
    survivors: [...survived, ...uncovered].map(({ file, source, mutant, status }) => ({
      file,
      line: mutant.location.start.line + 1,
      was: oneLine(textAt(source, mutant.location)),
      became: oneLine(mutant.replacement),
      covered: status === 'Survived',
    })),
  }
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  const last = lines.length - 1
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined),
    )
    .join('\n')
}

const longest = 70

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
