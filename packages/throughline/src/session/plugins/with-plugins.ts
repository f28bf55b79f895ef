import { estimateTokens } from '../../tokens/estimate.ts'
import { createMessageCounter } from '../../tokens/message-tokens.ts'
import type { Template } from '../../compaction/summary/template.ts'
import { checkPlugin } from './define-plugin.ts'
import { firstAnswer, readContinuation, readTemplate } from './read-answers.ts'
import { PluginError, type PluginFailed } from './errors.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { Continuation } from '../../log/entry.ts'
import type { Plugin } from './plugin.ts'
import type { EventSource, SessionEvent } from '../events.ts'

// The name under which a host's own listener is reported.
const listenerName = 'onEvent'

/** Sends an event to the host's own listener, which can't stop the session either. */
export function tellListener(
  onEvent: ((event: SessionEvent) => unknown) | undefined,
  event: SessionEvent,
  failed: PluginFailed,
): void {
  tell(listenerName, () => onEvent?.(event), event, failed)
}

/** Sends an event to the plugins; none of them can stop the session that way. */
export function tellPlugins(
  plugins: readonly Plugin[],
  event: SessionEvent,
  source: EventSource,
  failed: PluginFailed,
): void {
  for (const plugin of plugins) {
    tell(plugin.name, () => plugin.onEvent?.(event, source), event, failed)
  }
}

function tell(
  plugin: string,
  listen: () => unknown,
  event: SessionEvent,
  failed: PluginFailed,
): void {
  const fail = (cause: unknown): void => {
    // A plugin that fails while handling a failure would also get its own failure.
    if (event.type === 'plugin-failed') return
    failed(new PluginError({ plugin, hook: 'onEvent', cause }))
  }
  try {
    const given = listen()
    // It is not awaited; an unhandled rejection would end the process.
    if (given instanceof Promise) given.catch(fail)
  } catch (cause) {
    fail(cause)
  }
}

/** Applies plugins within the limits of what is possible. */
export interface PluginLimits {
  /** By default, the error is thrown. */
  failed?: PluginFailed
  /** Whether a continuation leaves room for everything else that is kept. */
  fits?: (message: Continuation['message']) => boolean
}

// A quarter of the smallest default `keep`.
const longestContinuation = 1_000
const countMessage = createMessageCounter(estimateTokens)

/**
 * The policy, extended by the plugins.
 * @throws PluginError if one of them is not a valid plugin.
 */
export function withPlugins(
  policy: Policy,
  plugins: readonly Plugin[],
  {
    failed = thrown,
    fits = (message) => countMessage(message) <= longestContinuation,
  }: PluginLimits = {},
): Policy {
  if (plugins.length === 0) return policy
  plugins.forEach(checkPlugin)
  return {
    ...policy,
    protectedTools: [
      ...policy.protectedTools,
      ...plugins.flatMap((plugin) => plugin.protectedTools ?? []),
    ],
    lenses: [...plugins.flatMap((plugin) => plugin.lenses ?? []), ...policy.lenses],
    template: withSections(policy.template, plugins),
    continuation: (units) => {
      const proposed = policy.continuation(units)
      const answered = firstAnswer(plugins, {
        hook: 'continuation',
        ask: (plugin) => plugin.continuation?.(proposed, units),
        read: (given) => readContinuation(given, proposed, fits),
        failed,
      })
      return answered ? answered.answer : proposed
    },
  }
}

/**
 * The template of a compaction, including the sections that plugins add: the requested template, or
 * that of the first plugin that has one; `undefined` if it is the policy's.
 */
export function pluginTemplate(
  plugins: readonly Plugin[],
  asked?: Template,
  failed: PluginFailed = thrown,
): Template | undefined {
  const template = asked ?? ownTemplate(plugins, failed)
  return template && withSections(template, plugins)
}

function ownTemplate(plugins: readonly Plugin[], failed: PluginFailed): Template | undefined {
  return firstAnswer(plugins, {
    hook: 'template',
    ask: (plugin) => plugin.template?.(),
    read: readTemplate,
    failed,
  })?.answer
}

function withSections(
  template: Template | undefined,
  plugins: readonly Plugin[],
): Template | undefined {
  const added = plugins.flatMap((plugin) => plugin.sections ?? [])
  if (added.length === 0) return template
  return { sections: template?.sections ?? [], added: [...(template?.added ?? []), ...added] }
}

function thrown(error: Error): never {
  throw error
}
