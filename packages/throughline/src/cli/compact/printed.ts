import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { asMarkdown } from '../transcript/as-markdown.ts'
import { asText } from '../transcript/as-text.ts'
import { passagesOf } from '../transcript/passages.ts'
import { safeJson } from '../safe-json.ts'
import { compactJson } from './compact-json.ts'
import type { CompactedLog } from '../../session/once/compact-log.ts'
import type { Work } from './work.ts'

/** The compacted context in the form that was asked for. */
export function printed(work: Work, result: CompactedLog, after: number): string {
  const { form } = work.settings
  if (form === 'json') return `${safeJson(compactJson(work, { result, after }))}\n`
  if (form === 'ai-sdk') return `${safeJson(result.messages)}\n`
  const passages = passagesOf(result.context, result.log, summaryRoleOf(work.input.policy))
  return form === 'markdown' ? asMarkdown(passages) : asText(passages)
}
