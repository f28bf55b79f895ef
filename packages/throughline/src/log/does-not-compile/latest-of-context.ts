import { contextOf } from '../context.ts'
import { latest } from '../trusted-usage.ts'
import { chronological } from '../order.ts'

const log = chronological([])
latest(log)
latest(contextOf(log).items)
