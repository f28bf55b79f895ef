import { pathFromHome, type Folders } from '../folders.ts'
import {
  fieldsAt,
  settingsAt,
  keysOf,
  list,
  text,
  word,
  ownFunction,
  trueOrFalse,
  wholeNumber,
  type Checks,
} from './fields.ts'
import { lenses, codeLenses } from './lenses.ts'
import { inside, problem, wrong, shownValue, type Check, type Location } from './location.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { usableTokens, type Window } from '../../tokens/window.ts'
import {
  summaryAsSystem,
  summaryAsUser,
  type SummaryRole,
} from '../../compaction/render/summary-block.ts'
import { parseTokens } from '../../tokens/windows.ts'
import type { ConfigFile } from '../errors.ts'
import type {
  Settings,
  WholeValues,
  ModelSettings,
  PolicySettings,
  PolicyValues,
} from '../setting.ts'
import type { Section } from '../../compaction/summary/template.ts'
import type { Plugin } from '../../session/plugins/plugin.ts'
import type { Policy } from '../../compaction/policy.ts'

/**
 * Reads the settings from a file's content.
 * @throws ConfigError for the first invalid value.
 */
export function checkConfig(given: unknown, file: ConfigFile, folders: Folders): Settings {
  const at: Location = { file, keys: [] }
  const checks: Checks<WholeValues> = {
    store: storeFile(folders),
    preset: word(['default', 'economic', 'seed']),
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

/** A path relative to the configuration file. */
function storeFile(folders: Folders): Check<string> {
  return (given, at) => {
    const path = text('the path of a file')(given, at)
    const whole = pathFromHome(path, folders, folders.path.dirname(at.file.path))
    if (whole !== undefined) return whole
    throw problem(at, 'begins with ~, but the home directory is unknown; use the absolute path.')
  }
}

/** What providers accept as the name of a tool. */
const toolName: Check<string> = (given, at) => {
  if (typeof given === 'string' && /^[\w-]{1,64}$/.test(given)) return given
  throw wrong(given, at, 'a name of up to 64 letters, digits, _ and -')
}

const section: Check<Section> = (given, at) => {
  const { heading, guide } = fieldsAt(given, at, ['heading', 'guide'])
  const expected = 'a heading of one line'
  const checked = text(expected)(heading, inside(at, 'heading'))
  if (/[\n\r]/.test(checked) || checked.length > 100) {
    throw wrong(heading, inside(at, 'heading'), expected)
  }
  return { heading: checked, guide: text('what belongs under it')(guide, inside(at, 'guide')) }
}

const checks: Checks<Plugin> = {
  name: text('the name of the plugin'),
  protectedTools: list(text('the name of a tool')),
  lenses: codeLenses,
  template: ownFunction(),
  sections: list(section),
  beforeCompact: ownFunction(),
  afterSummary: ownFunction(),
  continuation: ownFunction(),
  onEvent: ownFunction(),
}

const plugin: Check<Plugin> = (given, at) => {
  if (typeof given !== 'object' || given === null) {
    throw wrong(given, at, 'the plugin itself, in a .ts, .js or .mjs file')
  }
  const fields = fieldsAt(given, at, keysOf(checks))
  for (const key of keysOf(checks)) {
    if (key === 'name' || fields[key] !== undefined) checks[key](fields[key], inside(at, key))
  }
  // The object itself, because its functions may refer to `this`.
  return given as Plugin
}

const plugins = list(plugin)

/** Changes for models, by the beginning of their name. */
const models: Check<ReadonlyMap<string, ModelSettings>> = (given, at) => {
  const byBeginning = fieldsOf(given)
  if (!byBeginning)
    throw wrong(given, at, 'an object whose keys are the beginnings of models’ names')
  const settings = new Map<string, ModelSettings>()
  for (const [beginning, own] of Object.entries(byBeginning)) {
    const place = inside(at, beginning)
    if (beginning === '')
      throw problem(place, 'is not a name; use the beginning of a model’s name.')
    if (own === undefined) continue
    const fields = fieldsAt(own, place, ['window', ...policyKeys])
    settings.set(beginning, {
      ...policySettingsAt(fields, place),
      ...settingsAt<{ window: Window }>({ window: windowAt }, fields, place),
    })
  }
  return settings
}

const windowAt: Check<Window> = (given, at) => {
  const context = tokensOf(given)
  if (context !== undefined && context > 0) return { context }
  const fields = fieldsOf(given)
  if (!fields)
    throw wrong(given, at, 'tokens such as 200000 or "200k", or { context, input, output }')
  fieldsAt(given, at, ['context', 'input', 'output'])
  const { context: whole, input, output } = settingsAt<Required<Window>>(limits, fields, at)
  if (!whole) throw wrong(undefined, inside(at, 'context'), tokensWanted)
  return {
    context: whole.value,
    ...(input && { input: input.value }),
    ...(output && { output: output.value }),
  }
}

const tokensWanted = 'tokens such as 200000 or "200k"'

const limit: Check<number> = (given, at) => {
  const tokens = tokensOf(given)
  if (tokens !== undefined && tokens > 0) return tokens
  throw wrong(given, at, tokensWanted)
}

const limits: Checks<Required<Window>> = { context: limit, input: limit, output: limit }

const wholeWindow = (window: Window): number => usableTokens(window, 0)
const usableItself = (usable: number): number => usable
const wholeRoom = (room: number): number => room

const roles = { user: summaryAsUser, system: summaryAsSystem } as const

const summaryRole: Check<SummaryRole> = (given, at) => {
  if (typeof given === 'function') return ownFunction<SummaryRole>()(given, at)
  return roles[word(['user', 'system'])(given, at)]
}

const policyChecks: Checks<PolicyValues> = {
  auto: trueOrFalse,
  reserved: amount(wholeWindow, 0),
  threshold: amount(usableItself, 1),
  prepareAt: amount(usableItself, 0),
  lowWater: amount(usableItself, 1),
  keep: amount(usableItself, 1),
  tail: amount<[usable: number, keep: number]>(usableItself, 1),
  longestTail: amount<[usable: number, keep: number]>(usableItself, 1),
  tailTurns: wholeNumber(1),
  recent: amount(usableItself, 0),
  recentSteps: wholeNumber(0),
  olderMedia: wholeNumber(0),
  standing: amount(usableItself, 0),
  names: amount(wholeRoom, 0),
  attempts: wholeNumber(0),
  summaryTimeout: wholeNumber(1),
  hookTimeout: wholeNumber(1),
  storeTimeout: wholeNumber(1),
  summaryRole,
  prune: ownFunction(),
  pruneAlone: ownFunction(),
  cut: ownFunction(),
  transcript: ownFunction(),
  continuation: ownFunction(),
  cold: ownFunction(),
}

const breakerChecks: Checks<Policy['breaker']> = {
  failures: wholeNumber(1),
  pause: wholeNumber(0),
}

export const policyKeys: readonly string[] = [...Object.keys(policyChecks), 'breaker']

/** Reads the settings of a policy from an object whose keys are already checked. */
function policySettingsAt(fields: Fields, at: Location): PolicySettings {
  const values = settingsAt<PolicyValues>(policyChecks, fields, at)
  const given = fields['breaker']
  if (given === undefined) return { values, breaker: {} }
  const place = inside(at, 'breaker')
  const breaker = fieldsAt(given, place, keysOf(breakerChecks))
  return { values, breaker: settingsAt<Policy['breaker']>(breakerChecks, breaker, place) }
}

/** A policy's function that returns a number of tokens. */
type AmountOf<Given extends readonly unknown[]> = (...given: Given) => number

/**
 * An amount of tokens as a policy may give it: a number, a text such as `8k`, a share of `whole`,
 * or a function. `least` is the smallest sensible amount.
 */
function amount<Given extends readonly unknown[]>(
  whole: AmountOf<Given>,
  least: 0 | 1,
): Check<AmountOf<Given>> {
  return (given, at) => {
    if (typeof given === 'function') return watched(given as AmountOf<Given>, at)
    const percent = percentOf(given)
    if (percent !== undefined && percent >= least) {
      return (...args) => Math.floor((whole(...args) * percent) / 100)
    }
    const tokens = tokensOf(given)
    if (tokens !== undefined && tokens >= least) return () => tokens
    throw wrong(given, at, 'tokens such as 8000 or "8k", or a percentage such as "40%"')
  }
}

function tokensOf(given: unknown): number | undefined {
  if (typeof given === 'string') return parseTokens(given)
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : undefined
}

function percentOf(given: unknown): number | undefined {
  const match = typeof given === 'string' ? /^(\d{1,3}(?:\.\d{1,6})?) ?%$/.exec(given) : null
  const percent = Number(match?.[1])
  return percent <= 100 ? percent : undefined
}

/** The user's own function; each of its results is checked. */
function watched<Given extends readonly unknown[]>(
  own: AmountOf<Given>,
  at: Location,
): AmountOf<Given> {
  return (...given) => {
    let tokens: unknown
    try {
      tokens = own(...given)
    } catch (error) {
      throw problem(at, `threw ${String(error)} for ${shownValue(given[0])}.`, error)
    }
    if (typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0) return tokens
    throw problem(
      at,
      `returned ${tokens === undefined ? 'nothing' : shownValue(tokens)} for ${shownValue(given[0])}; it must return a number of tokens.`,
    )
  }
}
