/** Returns a promise and its resolver; Node 20 lacks `Promise.withResolvers`. */
export function later<Value>(): { promise: Promise<Value>; come: (value: Value) => void } {
  let come: (value: Value) => void = () => undefined
  const promise = new Promise<Value>(resolve => {
    come = resolve
  })
  return { promise, come }
}
