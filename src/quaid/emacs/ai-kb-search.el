;;; ai-kb-search.el --- Search while you type  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ai-kb-search' asks one long-lived `quaid pipe' whenever you pause: by words
;; at once, and a question of three words or more by meaning a moment later.

;;; Code:

(require 'ai-kb-cli)
(require 'ai-kb-browse)

(defcustom ai-kb-search-pause 0.05
  "After how many seconds without a key the words are looked up."
  :type 'number
  :group 'ai-kb)

(defcustom ai-kb-search-meaning-pause 0.4
  "After how many seconds without a key a question is asked by meaning too."
  :type 'number
  :group 'ai-kb)

(defcustom ai-kb-search-limit 15
  "How many nodes are shown at most."
  :type 'integer
  :group 'ai-kb)

(defvar ai-kb-search-hook nil
  "Functions that are called when results were shown, with the question.")

(defvar ai-kb--search-timers nil "What waits for a pause.")
(defvar ai-kb--search-text nil "What was asked last.")
(defvar ai-kb--search-shown nil "The question whose answer is shown.")
(defvar ai-kb--search-nodes nil "The nodes that are shown.")
(defvar ai-kb--search-chosen 0 "Which of them is chosen.")

(defvar ai-kb-search-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map minibuffer-local-map)
    (dolist (key '("C-n" "<down>" "TAB"))
      (define-key map (kbd key) #'ai-kb-search-next))
    (dolist (key '("C-p" "<up>" "<backtab>"))
      (define-key map (kbd key) #'ai-kb-search-previous))
    map)
  "Keys while a search is typed.")

(defun ai-kb--search-show (text result failure)
  "Show RESULT, the answer to TEXT, or what FAILURE says."
  (when (equal text ai-kb--search-text)
    (setq ai-kb--search-nodes (or (alist-get 'results result) (alist-get 'nodes result))
          ai-kb--search-shown text
          ai-kb--search-chosen 0)
    (ai-kb--search-draw
     (cond (ai-kb--search-nodes nil)
           ;; Words that say nothing yet, and words that nothing has, are no errors while one types.
           ((member (alist-get 'code failure) '(nil "invalid_input" "not_found")) "nothing found")
           (t (ai-kb-error-text failure))))
    (run-hook-with-args 'ai-kb-search-hook text)))

(defun ai-kb--search-draw (&optional said)
  "Draw the nodes that were found, or what is SAID instead."
  (with-current-buffer (get-buffer-create "*ai-kb-search*")
    (let ((inhibit-read-only t) (place 0) (number 0))
      (erase-buffer)
      (if said (insert said "\n"))
      (dolist (node ai-kb--search-nodes)
        (when (= number ai-kb--search-chosen) (setq place (point)))
        (insert (if (= number ai-kb--search-chosen) "> " "  "))
        (ai-kb-insert-node node)
        (insert "  " (propertize (or (alist-get 'summary node) "") 'face 'shadow)
                (if (equal (alist-get 'status node) "current") ""
                  (format "  [%s]" (alist-get 'status node)))
                "\n")
        (setq number (1+ number)))
      (unless (derived-mode-p 'ai-kb-list-mode) (ai-kb-list-mode))
      (let ((window (get-buffer-window (current-buffer) t)))
        (when window (set-window-point window (max place (point-min))))))))

(defun ai-kb--search-ask (text by-meaning)
  "Ask for TEXT, with BY-MEANING also by meaning."
  (setq ai-kb--search-text text)
  (if (string-empty-p (string-trim text))
      (ai-kb-pipe-ask "kb_list" `((sort . "updated") (limit . ,ai-kb-search-limit))
                      (lambda (result failure) (ai-kb--search-show text result failure)))
    (ai-kb-pipe-ask "kb_query"
                    `((question . ,text) (limit . ,ai-kb-search-limit)
                      ,@(unless by-meaning '((words . t))))
                    (lambda (result failure) (ai-kb--search-show text result failure)))))

(defun ai-kb--search-typed ()
  "Ask when there is a pause in what is typed."
  (let ((text (minibuffer-contents-no-properties)))
    (unless (equal text ai-kb--search-text)
      (mapc #'cancel-timer ai-kb--search-timers)
      (setq ai-kb--search-timers
            (list (run-at-time ai-kb-search-pause nil #'ai-kb--search-ask text nil)))
      (when (> (length (split-string text)) 2)
        (push (run-at-time ai-kb-search-meaning-pause nil #'ai-kb--search-ask text t)
              ai-kb--search-timers)))))

(defun ai-kb-search-next (&optional count)
  "Choose the next node, or the one COUNT further."
  (interactive)
  (when ai-kb--search-nodes
    (setq ai-kb--search-chosen
          (mod (+ ai-kb--search-chosen (or count 1)) (length ai-kb--search-nodes)))
    (ai-kb--search-draw)))

(defun ai-kb-search-previous ()
  "Choose the node before."
  (interactive)
  (ai-kb-search-next -1))

(defun ai-kb--search-await (text)
  "Wait until the answer to TEXT is shown.
Who types fast must not open a node that was found for less."
  (unless (equal text ai-kb--search-shown)
    (mapc #'cancel-timer ai-kb--search-timers)
    (ai-kb--search-ask text nil)
    (let ((end (time-add nil 5)))
      (while (and (not (equal text ai-kb--search-shown)) (time-less-p nil end))
        (accept-process-output ai-kb--pipe 0.05)))))

;;;###autoload
(defun ai-kb-search ()
  "Find nodes while you type; RET opens the one that is chosen."
  (interactive)
  (setq ai-kb--search-text nil ai-kb--search-shown nil ai-kb--search-nodes nil
        ai-kb--search-timers nil)
  (ai-kb--search-ask "" nil)
  (let* ((window (display-buffer (get-buffer-create "*ai-kb-search*")
                                 '((display-buffer-at-bottom) (window-height . 12))))
         (chosen
          (unwind-protect
              (minibuffer-with-setup-hook
                  (lambda () (add-hook 'post-command-hook #'ai-kb--search-typed nil t))
                (ai-kb--search-await (read-from-minibuffer "Search: " nil ai-kb-search-map))
                (nth ai-kb--search-chosen ai-kb--search-nodes))
            (mapc #'cancel-timer ai-kb--search-timers)
            (setq ai-kb--search-text nil)
            (when (window-live-p window) (quit-window nil window)))))
    (if chosen
        (ai-kb-open (alist-get 'path chosen))
      (message "Nothing found"))))

(provide 'ai-kb-search)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-search.el ends here
