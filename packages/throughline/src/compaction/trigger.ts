/** What triggers a compaction: the gate before a request, a provider's overflow, or a person. */
export type Trigger = 'auto' | 'overflow' | 'manual'
