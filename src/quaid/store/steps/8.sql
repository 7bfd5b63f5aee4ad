-- New pages are indexed by whoever inserts them, many at once.

DROP TRIGGER pages_inserted;
