import type { Store } from '../../../session/store.ts'

/** Makes an empty store. */
export type CreateStore = () => Store | Promise<Store>

/** One promise of the store port; `run` rejects if a store breaks it. */
export interface StoreCase {
  name: string
  run: (createStore: CreateStore) => Promise<void>
}
