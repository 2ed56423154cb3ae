/** An error of a store of this package. Its message contains nothing of a row. */
export class StoreError extends Error {}
