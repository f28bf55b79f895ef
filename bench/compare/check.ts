import { ourId } from './asked.ts'
import { chooseSessions } from './choose-sessions.ts'
import { holdAgainstAccepted } from './hold-against-accepted.ts'
import { measureAll } from './measure-all.ts'

// What CI runs: only Throughline, only figures that are the same in every run, on the corpus or the
// sample.
holdAgainstAccepted(
  await measureAll(await chooseSessions(undefined), {
    keeps: [3_000, 8_000, 12_000],
    only: [ourId],
    answers: undefined,
    window: 64_000,
    speed: false,
    onProgress: () => {},
  }),
)
