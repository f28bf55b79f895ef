import { toolTableOf } from '../../formats/handoff/hand-over.ts'
import { apiWriters, harnesses } from '../../formats/harnesses.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { directoryFor, realDirectory } from '../../harnesses/install/directory-for.ts'
import { CommandError } from '../errors.ts'
import { notOneOf, usage } from '../parse-arguments.ts'
import { pathFrom, shownPath } from '../paths.ts'
import type { FormatWriter, UsedModel } from '../../formats/writing/format-writer.ts'
import type { Harness, Surroundings } from '../../formats/writing/harness.ts'
import type { Options, ParsedArguments } from '../command.ts'
import type { SessionInput } from '../source/read-session.ts'
import type { Io } from '../io.ts'
import { readFile } from 'node:fs/promises'
import { json5Tree } from '../installed/json5-tree.ts'
import { fieldsOf, listOf, nameOf, type Fields } from '../../json/fields.ts'

/** A form in which a session can be written: a harness's format, or an API's messages. */
export interface Destination {
  /** The name of the format: `codex`, `openai-chat`. */
  name: string
  /** The name as people write it. */
  label: string
  writer: FormatWriter
  /** The harness that accepts it; none for an API's messages. */
  harness: Harness | undefined
}

const destinations: readonly Destination[] = [
  ...harnesses.map((harness) => {
    const { name, writer } = harness
    return { name, label: toolTableOf(name).label, writer, harness }
  }),
  ...apiWriters.map((writer) => {
    return { name: writer.name, label: writer.name, writer, harness: undefined }
  }),
]

export const harnessNames = harnesses.map(({ name }) => name)
/** The values of `--to`, as the help lists them. */
export const formNames = destinations.map(({ name }) => name)

/** @throws UsageError */
export function destinationNamed(
  command: string,
  option: string,
  word: string,
  names: readonly string[],
): Destination {
  const found = destinations.find(
    ({ name, harness }) => names.includes(name) && (name === word || harness?.prefix === word),
  )
  if (found) return found
  throw notOneOf(command, option, word, names)
}

/** The form in which to write a compacted session, and what to do with it. */
interface WrittenSettings {
  destination: Destination
  install: boolean
  directory: string | undefined
  /** Whether calls are converted to the new harness's tools. */
  tools: 'as they are' | 'handed over'
}

export const writtenOptions: Options = {
  '--to FORM': `Write the result as a new session in this form: ${formNames.join(', ')}.`,
  '--install':
    'Put that session where its harness finds it, and print the command that resumes it. No session that already exists is changed.',
  '--directory DIR':
    'The directory in which that session continues. Default: the session’s own directory if it exists here, else the working directory.',
}

/**
 * `undefined` if `--to` is missing.
 * @throws UsageError
 */
export function writtenSettings(
  command: string,
  { values, flags }: ParsedArguments,
): WrittenSettings | undefined {
  const refuse = (message: string): never => {
    throw usage(command, message)
  }
  const to = values.get('to')
  const directory = values.get('directory')
  const install = flags.has('install')
  if (to === undefined) {
    const option = install ? '--install' : directory && '--directory'
    return option
      ? refuse(`${option} needs --to: name the harness that continues the session`)
      : undefined
  }
  const destination = destinationNamed(command, '--to', to, formNames)
  if (install && !destination.harness) {
    refuse(
      `--install is for harnesses; messages in the form of ${to} are kept by the program that sends them`,
    )
  }
  if (install && values.has('output')) refuse('--install chooses the file itself: omit -o')
  if (values.has('format')) refuse('--to has its own format: omit --format')
  if (flags.has('json') && !install && !flags.has('dry-run')) {
    refuse('--to prints the session itself: --json only works with --install or --dry-run')
  }
  return { destination, install, directory, tools: 'as they are' }
}

/** How a session is written, and where it continues. */
export interface Handover extends Omit<WrittenSettings, 'directory'> {
  directory: string
  directoryFrom: 'user' | 'session'
  /** The model that the client uses here, where its sessions have to name one. */
  model: UsedModel | undefined
}

/** @throws CommandError if the session can't continue there. */
export async function handoverFor(
  settings: WrittenSettings,
  { format, facts }: Pick<SessionInput, 'format' | 'facts'>,
  io: Io,
): Promise<Handover> {
  const { destination, directory: asked } = settings
  const surroundings = surroundingsOf(io.env)
  // What the tools of messages do that no harness wrote is unknown.
  const hasOtherTools =
    destination.harness && destination.name !== format && toolTableOf(format).tools.length > 0
  const shared = {
    ...settings,
    tools: hasOtherTools ? ('handed over' as const) : settings.tools,
    model: await usedModel(destination.name, facts.model, surroundings),
  }
  if (asked === undefined) {
    const directory = await directoryFor(facts.directory, io.cwd, surroundings.path)
    return { ...shared, directory, directoryFrom: directory === io.cwd ? 'user' : 'session' }
  }
  const directory = await realDirectory(pathFrom(io.cwd, asked))
  if (directory !== undefined) return { ...shared, directory, directoryFrom: 'user' }
  throw new CommandError(`--directory ${shownPath(asked)}: there is no such directory.`)
}

/**
 * The model that a client uses on this machine, where each of its messages has to name one: opencode
 * ends at once where it doesn't know the provider, and pi warns. The session's own model is taken if
 * the user has used it there, else the one used last, else the one that the client's settings name.
 */
export async function usedModel(
  client: string,
  model: string | undefined,
  surroundings: Surroundings,
): Promise<UsedModel | undefined> {
  const { variables, home, path } = surroundings
  if (client === 'pi') {
    const folder = variables['PI_CODING_AGENT_DIR'] ?? path.join(home ?? '', '.pi', 'agent')
    const settings = await read(path.join(folder, 'settings.json'))
    return modelIn({
      providerID: settings?.['defaultProvider'],
      modelID: settings?.['defaultModel'],
    })
  }
  if (client !== 'opencode' && client !== 'opencode-v2') return undefined
  const folder = (variable: string, ...names: string[]): string =>
    path.join(variables[variable] ?? path.join(home ?? '', ...names), 'opencode')
  const state = await read(path.join(folder('XDG_STATE_HOME', '.local', 'state'), 'model.json'))
  const recent = listOf(state?.['recent']).flatMap((each) => modelIn(fieldsOf(each)) ?? [])
  const own = recent.find((each) => each.model === model) ?? recent[0]
  if (own) return own
  const settings = folder('XDG_CONFIG_HOME', '.config')
  for (const name of ['opencode.jsonc', 'opencode.json', 'config.json']) {
    const named = nameOf((await read(path.join(settings, name)))?.['model'])
    const [provider, ...rest] = named?.split('/') ?? []
    if (provider && rest.length > 0) return { provider, model: rest.join('/') }
  }
  return undefined
}

function modelIn(fields: Fields | undefined): UsedModel | undefined {
  const provider = nameOf(fields?.['providerID'])
  const model = nameOf(fields?.['modelID'])
  return provider === undefined || model === undefined ? undefined : { provider, model }
}

/** What cannot be read names no model: the session is written all the same. */
function read(file: string): Promise<Fields | undefined> {
  return readFile(file, 'utf8')
    .then((text) => fieldsOf(json5Tree(text).value))
    .catch(() => undefined)
}
