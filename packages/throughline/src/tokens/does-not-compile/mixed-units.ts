import {
  estimatedTokens,
  least,
  minus,
  modelTokens,
  most,
  plus,
  sumEstimated,
  toEstimated,
  toModel,
  type EstimatedTokens,
  type ModelTokens,
} from '../units.ts'

const own = estimatedTokens(1_000)
const real = modelTokens(1_300)

export const compiles: [ModelTokens, EstimatedTokens] = [plus(real, real), minus(own, own)]

plus(own, real) // error
minus(real, own) // error
least(own, real) // error
most(real, own) // error
sumEstimated([own, real]) // error
toModel(real, 1.3) // error
toEstimated(own, 1.3) // error
estimatedTokens(real) // error
modelTokens(own) // error
export const renamed: EstimatedTokens = real // error
export const added: ModelTokens = own + real // error
export const plain: ModelTokens = 1_000 // error
export const same = own === real // error
