import { readFile } from 'node:fs/promises'
import { parse } from 'jsonc-parser'
import { fieldsOf, listOf, nameOf, type Fields } from '../../json/fields.ts'
import type { Surroundings } from '../../formats/writing/harness.ts'
import type { UsedModel } from '../../formats/writing/format-writer.ts'

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
async function read(file: string): Promise<Fields | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : fieldsOf(parse(text))
}
