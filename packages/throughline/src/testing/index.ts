export { scriptedSummarizer, goodSummary } from './scripted/scripted-summarizer.ts'
export { storeConformance } from './conformance/store-conformance.ts'
export { slotConformance } from './conformance/slot-conformance.ts'
export { formatConformance } from './conformance/format-conformance.ts'
export { overflowError, PromptTooLongError } from './overflow-errors.ts'
export { illegalities } from './legal.ts'
export type { ScriptedSummarizer, ScriptedSummary } from './scripted/scripted-summarizer.ts'
export type { CreateStore, StoreCase } from './conformance/store-conformance.ts'
export type {
  CreateSlotHost,
  SlotCase,
  SlotHost,
  SlotMessage,
} from './conformance/slot-conformance.ts'
export type { ConformanceCase, FormatSample } from './conformance/format-conformance.ts'
export type { OverflowVoice } from './overflow-errors.ts'
