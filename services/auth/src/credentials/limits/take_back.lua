-- Takes an attempt back; after a right password the account's own failures are forgotten too.
-- KEYS as in attempt.lua; ARGV: the attempt's id, 1 after a right password, each counter's limit.
for i = 2, #KEYS, 2 do
  local own = i == 2
  redis.call('ZREM', KEYS[i], ARGV[1])
  if own and ARGV[2] == '1' then
    redis.call('DEL', KEYS[i])
  end
  if redis.call('ZCARD', KEYS[i]) < tonumber(ARGV[2 + i / 2]) then
    redis.call('DEL', KEYS[i + 1])
    if own then
      redis.call('ZREM', KEYS[1], KEYS[i])
    end
  end
end
