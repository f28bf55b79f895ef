import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { chooseWindow, usualWindow, type WindowChoice } from '../../sizes/window-choice.ts'
import { configOptions, configurationFor, storeOption } from '../../configuration.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { factLines, table } from '../../terminal/table.ts'
import { withThousands } from '../../terminal/numbers.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import { shownValue } from '../../../config/check/location.ts'
import { budgetOf } from '../../../compaction/plan/budget.ts'
import { presets } from '../../../compaction/presets.ts'
import { policyOf } from '../../../config/policy-of.ts'
import { settingsFor, type Lookup, type Configuration } from '../../../config/load-config.ts'
import { modelTokens } from '../../../tokens/units.ts'
import type { Screen } from '../../terminal/colour.ts'
import type { Command, ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'
import type { Setting, ModelSettings, PolicySettings } from '../../../config/setting.ts'
import type { Window } from '../../../tokens/window.ts'

export const configCommand: Command = {
  name: 'config',
  description: [
    'Shows where configuration files were looked for and every active value: one line per value, with its source. Sizes are in tokens, for the window of the model.',
    'A project’s own file is read as plain data, and code in it is not run.',
  ],
  arguments: [],
  options: {
    '--model NAME': 'Show the values for this model.',
    ...storeOption,
    ...configOptions,
    '--json': 'Print one JSON object instead.',
  },
  examples: {
    'throughline config': 'See the values that are active here, and why.',
    'throughline config --model claude-opus-4-5 --json': 'Print the values for a model as JSON.',
  },
  run: runConfig,
}

async function runConfig(parsed: ParsedArguments, io: Io): Promise<number> {
  const configuration = await configurationFor('config', parsed, io)
  const model = parsed.values.get('model')
  const choice =
    model === undefined ? usualWindow : chooseWindow(undefined, { model }, configuration)
  const preset = configuration.settings.whole.preset?.value ?? 'default'
  const shown: Shown = {
    lookups: configuration.lookups,
    model,
    choice,
    values: valuesInForce(configuration, choice.window, model),
    preset: preset === 'default' ? preset : `preset ${preset}`,
  }
  const pathText = (path: string): string => pathForReader(path, foldersOf(io.env), io.cwd)
  const answer = {
    json: () => configJson(shown),
    lines: (screen: Screen) => configLines(shown, screen, pathText),
  }
  return printAnswer(answer, parsed, io)
}

function configJson({ lookups, model, choice, values, preset }: Shown) {
  return {
    version: 1,
    model: model ?? null,
    window: { ...choice.window, from: choice.from },
    files: lookups.map(({ where, place, file, ignored }) => ({
      where,
      place,
      file: file?.path ?? null,
      ...(ignored && { ignored: { file: ignored.file.path, why: ignored.why } }),
    })),
    values: values.map(({ key, value, setting, limit }) => ({
      key,
      value,
      ...(limit !== undefined && { limit }),
      from: setting ? sourceOf(setting) : { type: 'preset', name: preset },
    })),
  }
}

function sourceOf(setting: Setting<unknown>) {
  const { from, key } = setting
  if (from.type === 'default') return from
  const written = { key, given: givenText(setting) }
  return from.type === 'file'
    ? { type: from.type, file: from.file.path, ...written }
    : { ...from, ...written }
}

/** The result of a configuration, and where it was looked for. */
interface Shown {
  lookups: readonly Lookup[]
  model: string | undefined
  choice: WindowChoice
  values: readonly InForce[]
  /** The source of values that are not set. */
  preset: string
}

function configLines(
  { lookups, model, choice, values, preset }: Shown,
  { width, paint }: Screen,
  pathText: (path: string) => string,
): string[] {
  const facts = lookups.map(
    ({ where, place, file }) =>
      [places[where], sanitizeLine(file ? place : `none, looked in ${place}`)] as const,
  )
  const whose = model === undefined ? 'any model' : sanitizeLine(model)
  const size = `${formatTokens(choice.window.context)} (${sanitizeLine(choice.from)})`
  const rows = values.map((row) =>
    [row.key, valueText(row, pathText), sourceText(row, preset)].map((text) => sanitizeLine(text)),
  )
  return [
    paint('bold', lookups.length === 0 ? 'No configuration file is read' : 'Configuration files'),
    ...factLines(facts, { width, paint, indent: 2 }),
    '',
    paint('bold', `Active for ${whose}, in a window of ${size}`),
    // Half a path or half a value would mean something else.
    ...table([{}, {}, {}], rows, Infinity).map((line) => `  ${line}`),
  ]
}

const places: Readonly<Record<Lookup['where'], string>> = {
  asked: 'as requested',
  upwards: 'here and above',
  user: 'your own',
}

function valueText({ key, value }: InForce, pathText: (path: string) => string): string {
  if (value === null) return 'not set'
  if (key === 'store' && typeof value === 'string') return pathText(value)
  return typeof value === 'number' ? withThousands(value) : String(value)
}

/** The source of a value, for a reader; `preset` is the source of values that are not set. */
function sourceText(row: InForce, preset: string): string {
  const limit = row.limit === undefined ? '' : `; ${row.limit} leaves no more`
  return setBy(row, preset) + limit
}

function setBy({ key, value, setting }: InForce, preset: string): string {
  if (!setting) return /^policy\.|^protectedTools$/.test(key) ? preset : 'default'
  const { from } = setting
  if (from.type === 'default') return 'default'
  if (from.type !== 'file') return from.name
  const own = setting.key === key ? '' : `${setting.key} `
  const given = typeof setting.given === 'string' && setting.given !== value
  return `${own}${given ? `${shownValue(setting.given)} ` : ''}in ${from.file.shown}`
}

/** One active value, and who set it. */
interface InForce {
  key: string
  value: string | number | boolean | null
  /** Missing if the value comes from the default or the preset. */
  setting: Setting<unknown> | undefined
  /** What limits it to less than what was set. */
  limit?: string
}

/** All active values for a model in this window, one row each. */
function valuesInForce(
  configuration: Configuration,
  window: Window,
  model: string | undefined,
): InForce[] {
  const { whole, models } = configuration.settings
  const { store, preset, protectedTools, lenses, plugins, recall } = whole
  const value = (key: string, setting: Setting<string> | undefined, otherwise: string | null) => ({
    key,
    value: setting?.value ?? otherwise,
    setting,
  })
  const each = (key: string, names: readonly string[], setting: Setting<unknown> | undefined) =>
    names.map((name): InForce => ({ key, value: name, setting }))
  return [
    value('store', store, null),
    value('preset', preset, 'default'),
    ...policyInForce(configuration, window, model),
    ...each('protectedTools', presets[preset?.value ?? 'default'].protectedTools, undefined),
    ...each('protectedTools', protectedTools?.value ?? [], protectedTools),
    ...(plugins?.value ?? []).flatMap((plugin) =>
      each('protectedTools', plugin.protectedTools ?? [], plugins),
    ),
    ...each('lenses', lenses?.value.map(({ tools }) => tools.join(', ')) ?? [], lenses),
    ...each('plugins', plugins?.value.map(({ name }) => name) ?? [], plugins),
    value('recall', recall, null),
    ...(model === undefined ? [...models.values()].flatMap(modelRows) : []),
  ]
}

function policyInForce(
  configuration: Configuration,
  window: Window,
  model: string | undefined,
): InForce[] {
  const policy = policyOf(configuration, model)
  const { values, breaker } = settingsFor(configuration.settings, model)
  const sizes = budgetOf(policy, window, modelTokens(0))
  const row = (
    key: string,
    value: InForce['value'],
    setting: Setting<unknown> | undefined,
  ): InForce => ({ key: `policy.${key}`, value, setting })
  const strategies = (
    ['prune', 'pruneAlone', 'cut', 'transcript', 'continuation', 'cold'] as const
  ).flatMap((key) => (values[key] === undefined ? [] : [row(key, 'a function', values[key])]))
  return [
    row('auto', policy.auto, values.auto),
    row('reserved', sizes.reserved, values.reserved),
    row('threshold', sizes.threshold, values.threshold),
    row('prepareAt', policy.prepareAt(sizes.usable), values.prepareAt),
    {
      ...row('lowWater', sizes.lowWater, values.lowWater),
      ...(sizes.lowWater < policy.lowWater(sizes.usable) && { limit: 'threshold' }),
    },
    {
      ...row('keep', sizes.keep, values.keep),
      ...(sizes.keep < policy.keep(sizes.usable) && { limit: 'lowWater' }),
    },
    row('tail', sizes.tail, values.tail),
    row('longestTail', sizes.longestTail, values.longestTail),
    row('tailTurns', policy.tailTurns, values.tailTurns),
    row('recent', policy.recent(sizes.usable), values.recent),
    row('recentSteps', policy.recentSteps, values.recentSteps),
    row('olderMedia', policy.olderMedia, values.olderMedia),
    row('standing', policy.standing(sizes.usable), values.standing),
    row('names', policy.names(sizes.keep - sizes.tail), values.names),
    row('attempts', policy.attempts, values.attempts),
    row('breaker.failures', policy.breaker.failures, breaker.failures),
    row('breaker.pause', policy.breaker.pause, breaker.pause),
    row('summaryTimeout', policy.summaryTimeout, values.summaryTimeout),
    row('hookTimeout', policy.hookTimeout, values.hookTimeout),
    row('storeTimeout', policy.storeTimeout, values.storeTimeout),
    row('summaryRole', policy.summaryRole('').role, values.summaryRole),
    ...strategies,
  ]
}

/** The settings for some models only, as written. */
function modelRows({ window, values, breaker }: ModelSettings): InForce[] {
  return [window, ...settingsIn({ values, breaker })].flatMap((setting) =>
    setting ? [{ key: setting.key, value: givenText(setting), setting }] : [],
  )
}

function givenText({ given }: Setting<unknown>): string {
  return typeof given === 'string' ? given : shownValue(given)
}

function settingsIn({ values, breaker }: PolicySettings): Setting<unknown>[] {
  return [...Object.values(values), ...Object.values(breaker)]
}
