/** Returns a promise and its resolver; Node 20 lacks `Promise.withResolvers`. */
export function later<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
