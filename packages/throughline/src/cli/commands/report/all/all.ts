import { UnreadableSessionError } from '../../../../harnesses/errors.ts'
import { previewSession } from '../../../../harnesses/preview/preview-session.ts'
import { restOf, type ParsedArguments } from '../../../command.ts'
import { configurationFor } from '../../../configuration.ts'
import { exitCodes } from '../../../errors.ts'
import { printAnswer } from '../../../output/print-answer.ts'
import { tellIfReadable } from '../../../output/readable-by-others.ts'
import { targetAt } from '../../../output/target.ts'
import { writeTarget } from '../../../output/write-file.ts'
import { usage } from '../../../parse-arguments.ts'
import { filtersIn, isIn } from '../../../source/filters.ts'
import { findFound } from '../../../source/find-found.ts'
import { shownName } from '../../../store/session-name.ts'
import { screenOf, type Screen } from '../../../terminal/colour.ts'
import { takeTurn } from '../../../terminal/turn.ts'
import { pageAsset, pageWith } from '../page.ts'
import { machineLines, machineHeadLines } from './machine-lines.ts'
import { digestsOf } from './digests.ts'
import type { MachineReport } from '../../../../report/machine.ts'
import type { FoundSession } from '../../../../harnesses/found-session.ts'
import type { Io } from '../../../io.ts'

const usualName = 'throughline-sessions.html'

/** One page, text or object about all sessions of this machine. */
export async function runAll(parsed: ParsedArguments, io: Io): Promise<number> {
  const { flags, values } = parsed
  const [form, other] = (['text', 'json'] as const).filter((name) => flags.has(name))
  const named = values.get('output')
  if (restOf(parsed, 'session').length > 0)
    throw usage('report', '--all reads all sessions: name none')
  if (other) throw usage('report', 'use --text or --json, not both')
  if (form && named !== undefined) {
    throw usage('report', `--${form} prints to standard output: omit -o`)
  }
  const filters = filtersIn('report', parsed, io, Date.now())
  const configuration = await configurationFor('report', parsed, io)
  // A missing page is reported before any work is done for it.
  const asset = form ? '' : await pageAsset()
  const isPrinted = named === '-' || (named === undefined && !io.stdout.isTerminal)
  const target = form || isPrinted ? undefined : await targetAt(named ?? usualName, [], io.cwd)
  const { sessions: all, unreadable } = await findFound(filters.harnesses, io)
  const wanted = await chosenFrom(all, filters, io)
  const digested = await digestsOf(wanted, configuration, io)
  const machine: MachineReport = {
    version: 1,
    made: Date.now(),
    sessions: digested.sessions,
    unreadable: [...unreadable, ...digested.unreadable],
  }
  if (form) {
    const lines = (screen: Screen): string[] => machineLines(machine, screen)
    return printAnswer({ json: () => machine, lines }, parsed, io)
  }
  const page = pageWith(asset, { machine })
  if (!target) {
    await io.stdout.write(page)
    return exitCodes.done
  }
  await writeTarget(target, page)
  await tellIfReadable(target.path, io)
  const head = machineHeadLines(machine, screenOf(io.stderr, io.env))
  const open = `Open ${shownName(target.name)} in a browser.`
  await io.stderr.write(`${[...head, open].join('\n')}\n`)
  return exitCodes.done
}

/** Sessions written since, that worked in these directories. */
async function chosenFrom(
  sessions: readonly FoundSession[],
  { since, directories }: Pick<ReturnType<typeof filtersIn>, 'since' | 'directories'>,
  io: Io,
): Promise<FoundSession[]> {
  const recent = sessions.filter(({ at }) => since === undefined || at >= since)
  if (directories.length === 0) return recent
  const chosen: FoundSession[] = []
  for (const found of recent) {
    await takeTurn(io)
    try {
      const { directory } = await previewSession(found)
      if (isIn(directory, directories)) chosen.push(found)
    } catch (error) {
      if (!UnreadableSessionError.isInstance(error)) throw error
    }
  }
  return chosen
}
