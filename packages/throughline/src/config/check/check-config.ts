import { pathFromHome } from '../folders.ts'
import { fieldsAt, settingsAt, type Checks } from './fields.ts'
import { lenses } from './lenses.ts'
import { models } from './models.ts'
import { inside, problem, wrong, type Check, type Place } from './place.ts'
import { plugins } from './plugins.ts'
import { policyKeys, policySettingsAt } from './policy.ts'
import { list, text, word } from './values.ts'
import type { ConfigFile } from '../errors.ts'
import type { Folders } from '../folders.ts'
import type { Settings, WholeValues } from '../setting.ts'

/**
 * The settings in what a file holds.
 * @throws ConfigError for the first thing in it that may not stand there.
 */
export function checkConfig(given: unknown, file: ConfigFile, folders: Folders): Settings {
  const at: Place = { file, keys: [] }
  const checks: Checks<WholeValues> = {
    store: storeFile(folders),
    preset: word(['default', 'seed']),
    protectedTools: list(text('the name of a tool')),
    lenses,
    plugins,
    recall: toolName,
  }
  const known = [...Object.keys(checks), 'policy', 'models']
  const fields = fieldsAt(given, at, known, (key) =>
    policyKeys.includes(key) ? `policy.${key}` : undefined,
  )
  const { policy = {}, models: own = {} } = fields
  const policyPlace = inside(at, 'policy')
  return {
    whole: settingsAt<WholeValues>(checks, fields, at),
    policy: policySettingsAt(fieldsAt(policy, policyPlace, policyKeys), policyPlace),
    models: models(own, inside(at, 'models')),
  }
}

/** A path relative to the file in which it stands. */
function storeFile(folders: Folders): Check<string> {
  return (given, at) => {
    const path = text('the path of a file')(given, at)
    const whole = pathFromHome(path, folders, folders.path.dirname(at.file.path))
    if (whole !== undefined) return whole
    throw problem(at, 'begins with ~, and no home is known; give the whole path.')
  }
}

/** What providers take for the name of a tool. */
const toolName: Check<string> = (given, at) => {
  if (typeof given === 'string' && /^[\w-]{1,64}$/.test(given)) return given
  throw wrong(given, at, 'a name of up to 64 letters, digits, _ and -')
}
