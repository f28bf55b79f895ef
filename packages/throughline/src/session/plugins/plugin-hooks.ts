import { firstAnswerInTime, readCompactAnswer, readSummary } from './read-answers.ts'
import { PluginError, type PluginFailed } from './errors.ts'
import type { CompactionHooks } from '../../compaction/hooks/hooks.ts'
import type { Plugin } from './plugin.ts'

/** What the plugins answer about a compaction, each within `limit` milliseconds. */
export function pluginHooks(
  plugins: readonly Plugin[],
  { failed, limit }: { failed: PluginFailed; limit: number },
): CompactionHooks {
  const before = plugins.some(({ beforeCompact }) => beforeCompact !== undefined)
  const after = plugins.some(({ afterSummary }) => afterSummary !== undefined)
  return {
    before: before
      ? async (request) => {
          const question = {
            hook: 'beforeCompact',
            ask: (plugin: Plugin, signal: AbortSignal) =>
              plugin.beforeCompact?.({ ...request, signal }),
            read: readCompactAnswer,
            failed,
            limit,
          } as const
          const answered = await firstAnswerInTime(plugins, question, request.signal)
          return answered && { by: answered.by, ...answered.answer }
        }
      : undefined,
    after: after
      ? async (request) => {
          const question = {
            hook: 'afterSummary',
            ask: (plugin: Plugin, signal: AbortSignal) =>
              plugin.afterSummary?.({ ...request, signal }),
            read: readSummary,
            failed,
            limit,
          } as const
          const answered = await firstAnswerInTime(plugins, question, request.signal)
          return answered && { by: answered.by, summary: answered.answer }
        }
      : undefined,
    refused: ({ by, hook, problems }) => {
      failed(
        new PluginError({
          plugin: by,
          hook: hook === 'before' ? 'beforeCompact' : 'afterSummary',
          cause: new Error(`its summary cannot be used: ${problems.join('; ')}`),
        }),
      )
    },
  }
}
