/**
 * An item of the Responses API's input or output, as far as Throughline looks at it:
 * `ResponseInputItem` and `ResponseOutputItem`.
 */
export interface ResponsesItem {
  type?: string | null
}
