import { extend } from './extension.ts'
import { writeClientRecord } from '../record.ts'
import type { PiApi } from './api.ts'

/** Throughline as pi's extension, in one file. pi does not start with one that throws here. */
export default function throughline(pi: PiApi): void {
  try {
    extend(pi)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    writeClientRecord({ at: Date.now(), client: 'pi', event: 'error', reason }, process.env)
  }
}
