export { scriptedSummarizer } from './scripted/scripted-summarizer.ts'
export { storeConformance } from './conformance/store-conformance.ts'
export { storeDamageConformance } from './conformance/store-conformance/damage.ts'
export { slotConformance } from './conformance/slot-conformance.ts'
