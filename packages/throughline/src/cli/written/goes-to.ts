import { toolTableOf } from '../../formats/handoff/hand-over.ts'
import { usedModel } from './used-model.ts'
import type { UsedModel } from '../../formats/writing/format-writer.ts'
import type { Destination } from './destination.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { directoryFor, realDirectory } from '../../harnesses/install/directory-for.ts'
import { CommandError } from '../errors.ts'
import { pathFrom, shownPath } from '../paths.ts'
import type { SessionInput } from '../source/read-input.ts'
import type { Io } from '../io.ts'
import type { WrittenSettings } from './settings.ts'

/** Where a session continues. */
export interface GoesTo extends Omit<WrittenSettings, 'directory'> {
  directory: string
  directoryFrom: 'user' | 'session'
  /** The model that the client uses here, where its sessions have to name one. */
  model: UsedModel | undefined
}

/** @throws CommandError if it can't continue there. */
export async function goesTo(
  settings: WrittenSettings,
  { format, facts }: Pick<SessionInput, 'format' | 'facts'>,
  io: Io,
): Promise<GoesTo> {
  const { destination, directory: asked } = settings
  const tools = hasOtherTools(destination, format) ? 'handed over' : settings.tools
  const model = await usedModel(destination.name, facts.model, surroundingsOf(io.env))
  if (asked === undefined) {
    const directory = await directoryFor(facts.directory, io.cwd, surroundingsOf(io.env).path)
    return {
      ...settings,
      tools,
      directory,
      model,
      directoryFrom: directory === io.cwd ? 'user' : 'session',
    }
  }
  const directory = await realDirectory(pathFrom(io.cwd, asked))
  if (directory !== undefined)
    return { ...settings, tools, directory, model, directoryFrom: 'user' }
  throw new CommandError(`--directory ${shownPath(asked)}: there is no such directory.`)
}

/** Of messages that no harness wrote, nobody knows what their tools do. */
function hasOtherTools({ name, harness }: Destination, format: string): boolean {
  return harness !== undefined && name !== format && toolTableOf(format).tools.length > 0
}
