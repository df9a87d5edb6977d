-- Lifts every block of an account. KEYS: the account's blocks.
for _, counter in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  redis.call('DEL', counter, counter .. ':block')
end
redis.call('DEL', KEYS[1])
