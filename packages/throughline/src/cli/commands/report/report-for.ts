import { pluginsOf, policyOf, templateOf } from '../../../config/policy-of.ts'
import { reportOf } from '../../../report/report-of.ts'
import { chooseSession, type ChosenSession } from '../../source/choose-session.ts'
import { frameOf, foundName } from '../../source/session-found.ts'
import { chooseWindow, tokenOption } from '../../sizes/window-choice.ts'
import { ratioOf } from '../../sizes/real-counter.ts'
import { pricesOption } from '../../sizes/prices-option.ts'
import { newestHere } from '../resume/which-session.ts'
import { shownName } from '../../store/session-name.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { ReportModel } from '../../../report/model.ts'
import type { Options, ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'
import type { SessionInput } from '../../source/read-session.ts'

/** What a reader gets: the figures, and the commands that continue from here. */
export interface Report {
  model: ReportModel
  toDo: ToDo[]
}

export const windowOption: Options = {
  '--window TOKENS':
    'The window to measure against. Default: the one that the session recorded, else its model’s, else 200k.',
}

/** The options of the views that show a whole report. */
export const reportedOptions: Options = {
  ...windowOption,
  '--prices PRICES':
    'What tokens cost, for all models of the session: in=3,out=15 in US dollars per million tokens, optionally with cache-read=… and cache-write=…; or the name of a model with known prices. Default: the list price of each request’s model.',
}

/** The values of these options. */
interface ReportRequest {
  window: number | undefined
  prices: string | undefined
}

/** @throws UsageError */
export function requestOf({ values }: ParsedArguments): ReportRequest {
  const window = tokenOption('report', 'window', values.get('window'))
  return { window, prices: values.get('prices') }
}

/** The session that was named, or the newest of the working directory. */
export async function chosenFor(
  word: string,
  configuration: Configuration,
  io: Io,
): Promise<ChosenSession> {
  if (word !== '') return chooseSession(word, configuration, io)
  return { type: 'found', session: await newestHere(io, 'report') }
}

export async function reportFor(
  session: SessionInput,
  chosen: ChosenSession,
  { request, configuration, io }: { request: ReportRequest; configuration: Configuration; io: Io },
): Promise<Report> {
  const { window, from } = chooseWindow(request.window, session.facts, configuration)
  const template = templateOf(configuration)
  const prices = pricesOption('report', request.prices, session.facts.model)
  const { log, facts, name, format, skippedCount, stored } = session
  const model = await reportOf(
    { log, facts, name, format, skipped: skippedCount, ...(stored !== undefined && { stored }) },
    {
      ...frameOf(facts),
      window,
      windowFrom: from,
      policy: policyOf(configuration, facts.model),
      plugins: pluginsOf(configuration),
      ratio: ratioOf(session),
      signal: io.signal,
      ...(template && { template }),
      ...(prices && { prices }),
    },
  )
  return { model, toDo: whatToDo(model, chosen) }
}

/** A command that continues from a report, and what it does. */
interface ToDo {
  command: string
  does: string
}

/** How to undo a compaction, to continue the session, and to see more of it. */
function whatToDo({ compactions, pins }: ReportModel, chosen: ChosenSession): ToDo[] {
  if (chosen.type === 'file' && chosen.path === '-') return []
  const name = shownName(nameOf(chosen))
  const inForce = compactions.some(({ state }) => state === 'in force')
  const undo = {
    command: `throughline undo ${name}`,
    does: 'Take the newest compaction back. Everything said since then stays.',
  }
  const resume = {
    command: `throughline resume ${name}`,
    does: 'Go on with this session, compacted, in its own client. Another one: --in CLIENT.',
  }
  if (chosen.type !== 'stored') {
    return [
      resume,
      {
        command: `throughline import ${name}`,
        does: inForce
          ? 'Put it in the store: there the client’s compaction can be undone, and texts pinned.'
          : 'Put it in the store: there it is searchable, and texts can be pinned.',
      },
      { command: `throughline compact ${name}`, does: 'Print it as a context that fits.' },
    ]
  }
  return [
    resume,
    ...(inForce ? [undo] : []),
    {
      command: `throughline pin ${name} --ref REF`,
      does: `Keep a message through every compaction, word for word${pins.length > 0 ? ` (${pins.length} pinned now)` : ''}.`,
    },
    {
      command: `throughline recall ${name} WORDS`,
      does: 'Find what was said, read or printed, and read it back.',
    },
  ]
}

function nameOf(chosen: ChosenSession): string {
  if (chosen.type === 'stored') return chosen.session.id
  return chosen.type === 'file' ? chosen.path : foundName(chosen.session)
}
