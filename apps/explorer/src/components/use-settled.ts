// A value that follows its input after a pause, so that a slider that moves does not send a request at every step.

import { useEffect, useState } from 'preact/hooks'

/** @param key Text that differs exactly when the value does. */
export function useSettled<Value>(value: Value, key: string, pauseMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [key])
  return settled
}
