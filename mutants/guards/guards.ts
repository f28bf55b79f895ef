import { itEnds, itFits } from './it-fits-and-ends.ts'
import { noStrangerDecides, nothingGrows } from './no-stranger-decides.ts'
import { nothingIsLost } from './nothing-is-lost.ts'
import { oneCompaction } from './one-compaction.ts'
import { othersAreUnderstood, providersAreUnderstood } from './others-are-understood.ts'
import { pairsStayWhole } from './pairs-stay-whole.ts'
import { continueIsHidden, sameBytes } from './same-bytes.ts'
import { badSummaries } from './summaries-are-checked.ts'
import { offMeansOff, redaction, theStoreHolds } from './the-store-holds.ts'
import { onlyTheHuman, wordsOfTheHuman, workOfTheSession } from './what-was-said-stands.ts'
import { onceSummarized, whatWasGivenStays } from './what-was-given-stays.ts'
import { secretsGo } from './secrets-go.ts'
import type { Guard } from './guard.ts'

/** Every guard that a promise names: deleted one by one, a test of the promise must fail. */
export const guards: readonly Guard[] = [
  ...nothingIsLost,
  ...itFits,
  ...itEnds,
  ...pairsStayWhole,
  ...oneCompaction,
  ...badSummaries,
  ...wordsOfTheHuman,
  ...workOfTheSession,
  ...sameBytes,
  ...continueIsHidden,
  ...theStoreHolds,
  ...offMeansOff,
  ...whatWasGivenStays,
  ...onceSummarized,
  ...redaction,
  ...secretsGo,
  ...onlyTheHuman,
  ...noStrangerDecides,
  ...nothingGrows,
  ...othersAreUnderstood,
  ...providersAreUnderstood,
]
